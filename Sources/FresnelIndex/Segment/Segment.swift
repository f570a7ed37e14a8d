package import FresnelSystem
import Synchronization

// A segment is one run of bytes that never changes, in memory or mapped. Opening it reads the
// footer, the counts and what every query asks for: the first bytes of each block of the packed
// dictionary, the terms with boundaries inside. Checksums are compared unless the caller knows the
// bytes (it built them a moment ago). Every access checks its bounds, so no file makes a reader
// look outside of it. A file that came from another process goes through `SegmentVerifier` before
// it is opened: checksums tell damage, not a faulty writer.

/// An immutable piece of a replica: documents, numbered from 0, with everything to search them.
///
/// Deletions are not part of it; the replica keeps them beside it.
package final class Segment: Sendable {
    /// Whether opening compares the checksums of all sections.
    package enum Check: Hashable, Sendable {
        /// Compares every checksum; reads every byte once.
        case sections
        /// Compares only the footer's: for bytes that were just built or checked.
        case footer
    }

    /// Names the opened segment in this process; never reused.
    let number = numbering.add(1, ordering: .relaxed).newValue
    /// The whole file.
    package let bytes: SharedBytes
    /// Whether keys are folded as this program folds; those of older formats are not.
    let isFoldedAsNow: Bool
    /// The number of documents.
    package let documentCount: Int
    /// The attributes that occur, in order of name; an `AttributeOrdinal` is a place here.
    package let attributes: [SegmentAttribute]
    /// Created sequence and expiration of each document.
    package let versions: DocumentVersions
    /// The unique identifiers.
    package let identifiers: Identifiers
    /// Which identifiers may be among them.
    let filter: IdentifierFilter
    /// The encoded documents.
    package let stored: StoredDocuments
    /// How the documents begin; nil when the segment is not packed.
    let packedBeginnings: DocumentBeginnings?
    /// The documents that tokens alone cannot decide; nil when the segment does not know.
    let irregular: PackedArray<UInt32>?
    /// The term dictionary.
    package let terms: TermDictionary
    /// The postings of each term in the attributes that wildcards may cover; in segments of
    /// version 1 in all attributes.
    package let postings: PostingLists
    /// The postings in the attributes aside; nil when there are none.
    package let asidePostings: PostingLists?
    /// The best documents of frequent terms; nil when there are none.
    let bestPostings: BestPostings?
    /// Bounds of the weighted occurrences of frequent terms; nil when there are none.
    let impacts: Impacts?
    /// The attributes whose postings stand aside, as a mask for `AttributeFilter`.
    private let aside: AttributeFilter
    /// All other attributes.
    private let mixed: AttributeFilter

    /// What `lists(for:)` gives, so that nothing is made for a query.
    private let choices: (main: [PostingLists], aside: [PostingLists], both: [PostingLists])
    private let beginning = LazyBeginning()
    private let lazyKinds = LazyKinds()
    private let ordinals: [String: AttributeOrdinal]
    private static let numbering = Atomic<UInt64>(0)

    /// Opens a segment.
    ///
    /// - Throws: `SegmentError` when the bytes are cut short, damaged or of another version.
    package init(_ bytes: SharedBytes, check: Check = .sections) throws(SegmentError) {
        self.bytes = bytes
        let table = try SectionTable(bytes)
        if check == .sections { try table.checkSections() }
        isFoldedAsNow = table.version >= SegmentFormat.foldingVersion
        let counts = try SegmentCounts(table)
        documentCount = counts.documents
        versions = try DocumentVersions(table, counts)
        identifiers = try Identifiers(table, counts)
        filter = IdentifierFilter.filter(of: identifiers)
        stored = try StoredDocuments(table, counts)
        terms = try TermDictionary(table, counts)
        postings = try PostingLists.main(table, counts)
        asidePostings = try PostingLists.aside(table, counts)
        let others = asidePostings.map { [$0] } ?? []
        choices = ([postings], others, [postings] + others)
        bestPostings = try BestPostings(table, counts)
        impacts = try Impacts(table, counts)
        packedBeginnings = try DocumentBeginnings(table, counts)
        irregular = try IrregularDocuments.list(table, counts)
        let attributes = try SegmentAttribute.all(table, counts, stored, identifiers)
        self.attributes = attributes
        let places = attributes.indices.filter { attributes[$0].parts.contains(.aside) }
        aside = AttributeFilter(
            places.map { AttributeOrdinal($0) }, attributeCount: attributes.count)
        let rest = attributes.indices.filter { !attributes[$0].parts.contains(.aside) }
        mixed = AttributeFilter(
            rest.map { AttributeOrdinal($0) }, attributeCount: attributes.count)
        ordinals = Dictionary(
            attributes.enumerated().map { ($1.name, AttributeOrdinal($0)) },
            uniquingKeysWith: { first, _ in first })
    }

    /// How the documents begin; nil when they begin in many ways.
    var beginnings: SharedBeginning? { beginning.value(of: self) }

    /// Of what kinds the documents are.
    var kinds: DocumentKinds { lazyKinds.value(of: self) }

    /// Finds out what the first search would, which need not wait for it then.
    func prepare() { _ = beginnings }

    /// Where the occurrences in the attributes of a filter are: one or both of the postings.
    func lists(for filter: AttributeFilter) -> [PostingLists] {
        guard asidePostings != nil, filter.intersects(aside) else { return choices.main }
        return filter.intersects(mixed) ? choices.both : choices.aside
    }

    /// The same where they are in one of them; nil where they are in both.
    func onlyLists(for filter: AttributeFilter) -> PostingLists? {
        guard let asidePostings, filter.intersects(aside) else { return postings }
        return filter.intersects(mixed) ? nil : asidePostings
    }

    /// The number of an attribute in this segment; nil when no document has it.
    package func ordinal(of attribute: String) -> AttributeOrdinal? { ordinals[attribute] }

    /// An attribute by its canonical name; nil when no document has it.
    package func attribute(named name: String) -> SegmentAttribute? {
        ordinal(of: name).map { attributes[Int($0)] }
    }

    /// A filter for the attributes of these names that occur.
    package func filter(for names: some Sequence<String>) -> AttributeFilter {
        AttributeFilter(names.compactMap { ordinal(of: $0) }, attributeCount: attributes.count)
    }
}
