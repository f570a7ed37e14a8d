// Rooms above encode into arrays; received bulk stays where libzmq put it. This type carries
// either through a program untouched, so a broker passes payloads on without reading them.

/// The bytes of one frame: an array of ours or a part of a received frame.
package enum FrameBytes: Sendable {
    case array([UInt8])
    case slice(FrameSlice)

    /// Frames below this are copied, in and out.
    ///
    /// A short received frame shares a buffer of 8 KiB with its neighbours, so keeping it where
    /// it is would keep that; and a copy of 1 KiB costs less than the bookkeeping for none.
    package static let zeroCopyThresholdBytes = 1_024

    /// A whole received frame.
    package init(_ frame: Frame) {
        self = .slice(FrameSlice(frame, 0..<frame.count))
    }

    package var count: Int {
        switch self {
        case .array(let bytes): bytes.count
        case .slice(let slice): slice.count
        }
    }

    package var isEmpty: Bool { count == 0 }

    /// Lends the bytes.
    package func withSpan<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        switch self {
        case .array(let bytes): try body(bytes.span)
        case .slice(let slice): try slice.withSpan(body)
        }
    }

    /// The bytes as an array: free for an array, one copy for a part of a received frame.
    package func copyBytes() -> [UInt8] {
        switch self {
        case .array(let bytes): bytes
        case .slice(let slice): slice.copyBytes()
        }
    }
}

extension FrameBytes: ExpressibleByArrayLiteral {
    package init(arrayLiteral elements: UInt8...) {
        self = .array(elements)
    }
}
