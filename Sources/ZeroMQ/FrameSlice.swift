/// A part of a received frame, without a copy; keeps the frame alive.
package struct FrameSlice: Sendable {
    package let frame: Frame
    package let range: Range<Int>

    package init(_ frame: Frame, _ range: Range<Int>) {
        precondition(
            range.lowerBound >= 0 && range.upperBound <= frame.count,
            "slice \(range) of a frame of \(frame.count) bytes")
        self.frame = frame
        self.range = range
    }

    package var count: Int { range.count }

    /// Lends the bytes.
    package func withSpan<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try frame.withSpan { (whole) throws(Failure) -> Result in
            try body(whole.extracting(range))
        }
    }

    /// A part of this part, counted from its first byte.
    package func slice(_ part: Range<Int>) -> FrameSlice {
        precondition(
            part.lowerBound >= 0 && part.upperBound <= count,
            "slice \(part) of a slice of \(count) bytes")
        return FrameSlice(
            frame, range.lowerBound + part.lowerBound..<range.lowerBound + part.upperBound)
    }
}
