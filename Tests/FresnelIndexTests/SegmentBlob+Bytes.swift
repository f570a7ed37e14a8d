import FresnelKernels
import FresnelSystem

@testable import FresnelIndex

extension SegmentBlob {
    /// A copy of the file.
    var bytes: [UInt8] { [UInt8](copying: content.bytes) }
}
