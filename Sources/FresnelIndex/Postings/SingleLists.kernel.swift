import FresnelSystem

// Two of three terms stand once in one document, mostly near the beginning of its text. All that
// such a list says are three small numbers, which stand side by side for all of them; no table says
// where, how many or which attributes.

/// The lists of one document, in which the term stands once, in the first element.
///
/// A class, so that a look at one list counts no references; and read by addresses, as a pattern
/// may have thousands of terms.
@safe
final class SingleLists: @unchecked Sendable {
    // Sendable because what the addresses point to never changes and lives as long as the arrays.

    /// Which of all lists they are.
    let lists: TermSet
    /// The least attribute of any.
    let leastAttribute: AttributeOrdinal
    /// Of each the document, the attribute above the least, and the position, from the lowest bit.
    let entries: NarrowNumbers
    /// Bits of each of these.
    let documentWidth: Int
    let attributeWidth: Int
    let positionWidth: Int

    private let words: UnsafePointer<UInt64>?
    private let ranks: UnsafePointer<UInt32>?
    private let wordCount: Int

    /// Positions from here on are written as lists are.
    static let positionLimit: UInt32 = 16

    /// One of the lists.
    struct Entry {
        let document: DocumentNumber
        let attribute: AttributeOrdinal
        /// Where in the bits of `entries` the position stands.
        let positionBit: Int
    }

    /// - Parameters:
    ///   - count: how many lists there are in all.
    ///   - documents: how many documents the segment has.
    init(
        _ reader: inout SectionReader, count: Int, documents: Int
    ) throws(SegmentError) {
        let own = try reader.count(limit: count)
        lists = try TermSet(&reader, count: own, terms: count)
        leastAttribute = AttributeOrdinal(try reader.count(limit: 62))
        attributeWidth = try reader.count(limit: 6)
        positionWidth = try reader.count(limit: 4)
        documentWidth = SortedDocuments.width(of: documents)
        entries = try NarrowNumbers(
            &reader, count: own, width: documentWidth + attributeWidth + positionWidth)
        wordCount = lists.words.count
        unsafe words = wordCount > 0 ? lists.words.unsafeElements : nil
        unsafe ranks = wordCount > 0 ? lists.ranks.unsafeElements : nil
    }

    /// The number of lists.
    var count: Int { lists.count }

    /// How many single lists are before a list, and whether it is one.
    @inline(__always)
    func find(_ list: Int) -> (rank: Int, isSingle: Bool) {
        guard let words = unsafe words, let ranks = unsafe ranks else {
            let (rank, isSingle) = lists.find(TermID(truncatingIfNeeded: list))
            return (rank, isSingle)
        }
        let number = list &>> 6
        guard number < wordCount else { return (count, false) }
        // There is a rank for each word, and the number was checked in the line before.
        let (word, before) = unsafe (words[number], Int(ranks[number]))
        let bit = UInt64(1) &<< UInt64(truncatingIfNeeded: list & 63)
        let rank = before &+ (word & (bit &- 1)).nonzeroBitCount
        return (min(rank, count), word & bit != 0 && rank < count)
    }

    /// The document of a list, and its attributes as a mask; `index` is in 0..<`count`.
    @inline(__always)
    func document(_ index: Int) -> (document: DocumentNumber, mask: UInt64) {
        let word = entries[index]
        let document = word & (1 &<< UInt64(truncatingIfNeeded: documentWidth) &- 1)
        let attribute =
            word &>> UInt64(truncatingIfNeeded: documentWidth)
            & (1 &<< UInt64(truncatingIfNeeded: attributeWidth) &- 1)
        let mask: UInt64 =
            1 &<< (UInt64(truncatingIfNeeded: attribute) &+ UInt64(leastAttribute))
        return (DocumentNumber(truncatingIfNeeded: document), mask)
    }

    /// One of the lists; `index` is in 0..<`count`.
    func entry(_ index: Int) -> Entry {
        let word = entries[index]
        let document = word & (1 << UInt64(documentWidth) - 1)
        let attribute = word >> UInt64(documentWidth) & (1 << UInt64(attributeWidth) - 1)
        return Entry(
            document: DocumentNumber(truncatingIfNeeded: document),
            attribute: leastAttribute + AttributeOrdinal(truncatingIfNeeded: attribute),
            positionBit: index * entries.width + documentWidth + attributeWidth)
    }
}
