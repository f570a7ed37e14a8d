import FresnelKernels
import FresnelSystem

/// A segment that was just made: its bytes and the name they give it.
package struct SegmentBlob: Sendable {
    /// The whole file.
    package let bytes: [UInt8]
    /// The hash of the bytes.
    package let name: SegmentName

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        name = SegmentName(of: bytes.span)
    }

    /// Opens the segment in memory.
    package func open() throws(SegmentError) -> Segment {
        try Segment(SharedBytes(bytes), check: .footer)
    }
}
