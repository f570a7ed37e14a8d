import FresnelKernels
import FresnelSystem

/// The identifiers of a packed segment, in their own order.
///
/// A class, so that taking it along counts one reference.
final class IdentifierBlocks: Sendable {
    let count: Int
    /// Where each block begins, and where the last ends.
    let starts: PackedArray<UInt32>
    let blob: SharedBytes

    init(_ reader: inout SectionReader, count: Int) throws(SegmentError) {
        self.count = count
        let length = PrefixBlocks.blockLength
        starts = try reader.array(count: (count + length - 1) / length + 1)
        let byteCount = try reader.count()
        blob = try reader.blob(count: byteCount)
    }

    /// The blocks as a table.
    var table: PrefixBlocks {
        @_lifetime(borrow self)
        borrowing get {
            // The memory of both never changes and lives as long as this object.
            let offsets = unsafe UnsafeBufferPointer(
                start: starts.unsafeElements, count: starts.count)
            let bytes = unsafe blob.unsafeBytes
            let table = unsafe PrefixBlocks(
                starts: Span(_unsafeElements: offsets), blob: Span(_unsafeBytes: bytes),
                count: count)
            return unsafe _overrideLifetime(table, borrowing: self)
        }
    }
}
