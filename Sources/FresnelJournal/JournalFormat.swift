// The journal of one shard replica: every accepted batch, in order, before it is acknowledged.
// A directory holds files `journal-<first sequence>.fj`; each is a header of 64 bytes and records
// one behind the other, beginning at multiples of 8. All integers are little endian.
//
// Three numbers tie it together. A record names the sequence number of the one before it, also
// across files, so a lost record or file is seen. Each file has a salt, its header's checksum,
// which seeds the checksum of its records, so bytes of another file (a recycled disk block, a
// document that contains a journal) never pass for a record. Each record begins at a marker, so
// that after damage one can tell "nothing follows" (a torn tail, cut) from "more follows" (an
// error, left alone). Byte by byte: Documentation/file-formats.md, "Journal".

/// Numbers of the journal's file format.
enum JournalFormat {
    /// `FRESNELJ`.
    static let magic: UInt64 = 0x4A4C_454E_5345_5246
    /// The version this program writes; it reads no other.
    static let version: UInt32 = 1
    /// The length of a file header, its checksum included.
    static let headerBytes = 64
    /// Where the checksum stands in a file header.
    static let headerChecksumOffset = 56
    /// `FJR1`, at offset 8 of a record.
    static let recordMarker: UInt32 = 0x3152_4A46
    /// The length of a record without its body.
    static let recordHeaderBytes = 64
    /// Records begin and end at multiples of this.
    static let alignment = 8

    /// The length of a record in the file.
    static func recordBytes(bodyBytes: Int) -> Int {
        (recordHeaderBytes + bodyBytes + alignment - 1) & ~(alignment - 1)
    }
}

/// Bounds of the journal.
package enum JournalLimits {
    /// The longest body in bytes; a payload frame of the wire is shorter, and a damaged length
    /// above it is recognised without reading on.
    package static let bodyBytes = 4 * 1024 * 1024
    /// Bytes after which a new file is begun; readers hold one file in memory.
    package static let fileBytes = 32 * 1024 * 1024
    /// Cut-off ends kept in a directory; a disk that tears more often has been noticed by then.
    package static let keptTails = 4
}
