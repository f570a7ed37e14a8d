/// The constants of the format (Documentation/file-formats.md, "Segments").
package enum SegmentFormat {
    /// The first eight bytes, and the last.
    package static let signature: UInt64 = 0x534C_454E_5345_5246  // "FRESNELS"
    /// The newest version that this program reads: of segments that are not packed and have texts
    /// without a column.
    package static let version: UInt32 = 11
    /// The version of packed segments.
    static let packedVersion: UInt32 = 10
    /// The version of all others: what reads it reads them.
    static let plainVersion: UInt32 = 9
    /// The oldest version whose keys are folded as this program folds them.
    ///
    /// Segments of older ones are made anew of their documents when a replica opens.
    static let foldingVersion: UInt32 = 9
    /// The oldest version this program reads.
    static let oldestVersion: UInt32 = 1
    /// Bytes of one entry of the section table.
    static let entryBytes = 32
    /// Bytes behind the section table: its offset, version, count, checksum, signature.
    static let trailerBytes = 32
    /// Every section begins at a multiple of this, and so does every array inside.
    static let alignment = 8
    /// Bytes a section may have, as offsets inside are 32 bits wide.
    package static let sectionBytes = Int(UInt32.max)
    /// Documents a segment may have.
    package static let documentLimit = 1 << 24
    /// Documents of one zone of a numeric column.
    package static let zoneLength = 4096
    /// Terms above which a dictionary gets a table of trigrams; fewer are scanned as quickly.
    static let gramTerms = 4096
    /// Documents of a term above which each of its postings has a bound.
    static let impactDocuments = 128
    /// Documents of a term above which its best are kept.
    static let bestPostingsDocuments = 512
    /// The best documents kept of a term.
    static let bestPostingsCount = 64
    /// Bytes of documents from which a packed block of them is closed.
    static let storeBlockBytes = 2048
    /// Bytes a packed block may have when it is unpacked: a document of the greatest size fits.
    static let storeBlockLimit = 1 << 20
    /// Bytes of the dictionary with which the blocks of a segment are packed, at most.
    static let dictionaryBytes = 64 << 10
    /// Positions left free between two elements of one attribute, so that no phrase crosses.
    package static let elementGap: UInt32 = 100
}
