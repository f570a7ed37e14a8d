import FresnelKernels
package import FresnelSystem

/// A segment that was just made: its bytes and the name they give it.
package struct SegmentBlob: Sendable {
    /// The whole file.
    package let content: SharedBytes
    /// The hash of the bytes.
    package let name: SegmentName

    init(_ content: SharedBytes) {
        self.content = content
        name = SegmentName(of: content.bytes)
    }

    /// Opens the segment in memory.
    package func open() throws(SegmentError) -> Segment {
        try Segment(content, check: .footer)
    }
}
