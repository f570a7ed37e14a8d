// Small segments mostly live for seconds and are read as they lie. Large ones are most of an index,
// so what costs a little time to read is packed in them; both forms answer alike
// (Documentation/decisions/0016-packed-segments.md).

/// Which segments are packed, and what has a column in them; a part of the format's meaning, not of
/// its bytes.
///
/// The same documents under the same rule always give the same segment.
package struct SegmentPacking: Hashable, Sendable {
    /// Documents above which a segment is packed.
    package var documents: Int
    /// The tokens an attribute's texts have on average from which a segment has no column of them:
    /// such texts are sentences, which are rarely sorted or counted, never mostly equal.
    package var longTextTokens: Int
    /// Documents up to which a segment has columns of long texts and of identifiers all the same,
    /// unless it is packed.
    package var columnDocuments: Int

    /// The rule of a replica at rest, and of whatever is merged with a packed segment.
    package static let standard = SegmentPacking(
        documents: 8192, longTextTokens: 8, columnDocuments: 512)
    /// The rule while parts come: what is merged again a moment later is not packed twice.
    package static let passing = SegmentPacking(
        documents: 131_072, longTextTokens: 8, columnDocuments: 512)
    /// Packs every segment with documents; for tests.
    package static let always = SegmentPacking(documents: 0, longTextTokens: 2)

    package init(documents: Int, longTextTokens: Int, columnDocuments: Int = .max) {
        self.documents = documents
        self.longTextTokens = longTextTokens
        self.columnDocuments = columnDocuments
    }

    /// Whether a segment of so many documents is packed.
    package func packs(_ documentCount: Int) -> Bool { documentCount > documents }

    /// Whether a segment of so many documents has columns of long texts and of identifiers.
    package func hasAllColumns(_ documentCount: Int) -> Bool {
        !packs(documentCount) && documentCount <= columnDocuments
    }
}
