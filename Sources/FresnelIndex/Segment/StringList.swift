package import FresnelKernels
import FresnelSystem

/// Byte strings of a segment, one behind the other in one blob.
package struct StringList: Sendable {
    let offsets: PackedArray<UInt32>
    let blob: SharedBytes

    /// The number of strings.
    package var count: Int { max(0, offsets.count - 1) }

    /// The bytes of all strings together.
    package var byteCount: Int { blob.count }

    /// One string; `index` is in 0..<`count`.
    package subscript(index: Int) -> Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get {
            blob.bytes.extracting(offsets.range(index, limit: blob.count))
        }
    }

    /// The strings as a table that can be searched when they are sorted.
    package var table: StringTable {
        @_lifetime(borrow self)
        borrowing get { StringTable(offsets: offsets.span, blob: blob.bytes) }
    }
}
