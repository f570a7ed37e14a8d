/// Which part of a segment some bytes are: a kind, for some kinds of one attribute.
package struct Section: Hashable, Sendable {
    /// What the bytes hold.
    package var kind: SectionKind
    /// Whose column it is; `none` for the sections of the whole segment.
    package var attribute: AttributeOrdinal

    /// The attribute number of sections that belong to no attribute.
    package static let none = AttributeOrdinal.max

    /// A section of the whole segment, or of one attribute.
    package init(_ kind: SectionKind, of attribute: AttributeOrdinal = Section.none) {
        self.kind = kind
        self.attribute = attribute
    }
}

/// What a section holds.
///
/// The numbers stand in files: never renumber one.
package enum SectionKind: UInt16, Hashable, Sendable, CaseIterable {
    /// Counts and the range of sequence numbers.
    case summary = 1
    /// The names of the attributes and what columns they have.
    case attributes = 2
    /// Created sequence and expiration of every document.
    case versions = 3
    /// Unique identifiers, their order and a hash table over them.
    case identifiers = 4
    /// The encoded documents.
    case store = 5
    /// The term dictionary.
    case terms = 6
    /// Inner camel boundaries of terms, in the order of what follows them.
    case camel = 7
    /// For each term where its postings are.
    case postingLists = 8
    /// The blocks of postings.
    case postingBlocks = 9
    /// Which documents have the attribute.
    case presence = 10
    /// Tokens per document in the attribute.
    case fieldLengths = 11
    /// The distinct texts of the attribute.
    case stringValues = 12
    /// The texts of each document, and the documents of each text.
    case stringRows = 13
    /// The numbers of each document.
    case numbers = 14
    /// The dates of each document.
    case dates = 15
    /// For each term of the attributes aside where its postings are.
    case asideLists = 16
    /// The blocks of those postings.
    case asideBlocks = 17
    /// For every three bytes of a folded key the terms that have them.
    case termGrams = 18
    /// The best documents of frequent terms.
    case bestPostings = 19
    /// Bounds of the weighted occurrences of frequent terms.
    case impacts = 20
    /// What `versions` has, in frames.
    case versionFrames = 32
    /// What `identifiers` has, with a filter instead of the hash table.
    case identifierFilter = 33
    /// What `store` has, in packed blocks.
    case storeBlocks = 34
    /// How documents begin.
    case beginnings = 35
    /// The documents that tokens alone cannot decide.
    case irregular = 36
    /// What `postingLists` has, packed.
    case packedLists = 37
    /// The blocks of those lists.
    case packedBlocks = 38
    /// What `asideLists` has, packed.
    case packedAsideLists = 39
    /// The blocks of those lists.
    case packedAsideBlocks = 40
    /// What `numbers` has, as steps.
    case codedNumbers = 41
    /// What `dates` has, as steps.
    case codedDates = 42
    /// What `terms` has, without originals where no term has one.
    case packedTerms = 43
    /// What `identifierFilter` has, the identifiers in blocks.
    case identifierBlocks = 44
    /// What `packedTerms` has, offsets in frames.
    case framedTerms = 45
    /// What `packedLists` has, offsets in frames.
    case framedLists = 46
    /// What `packedAsideLists` has, its terms as bits and offsets in frames.
    case framedAsideLists = 47
    /// What `impacts` has, with sixteen levels for each word.
    case narrowImpacts = 48
    /// What `bestPostings` has, each number once.
    case codedBest = 49
    /// What `codedNumbers` has, the sorted documents packed.
    case packedNumbers = 50
    /// What `codedDates` has, the sorted documents packed.
    case packedDates = 51
    /// What `fieldLengths` has, in bytes.
    case shortLengths = 52
    /// What `framedLists` has, lists of a single occurrence aside.
    case singleLists = 53
    /// What `framedAsideLists` has, the same.
    case singleAsideLists = 54
    /// What `packedBlocks` has, short blocks and positions as bits.
    case codedBlocks = 55
    /// What `packedAsideBlocks` has, the same.
    case codedAsideBlocks = 56
    /// What `termGrams` has, of blocks of keys.
    case blockGrams = 57
    /// What `fieldLengths` has, in as few bits as they need.
    case narrowLengths = 58
    /// What `identifierBlocks` has, the rests in codes.
    case codedIdentifiers = 59
    /// What `framedTerms` has, the keys in blocks.
    case blockTerms = 60
    /// What `blockTerms` has, the rests in codes.
    case codedTerms = 61
}

extension Section: CustomStringConvertible {
    /// The kind with the attribute number.
    package var description: String {
        attribute == Section.none ? "\(kind)" : "\(kind) of attribute \(attribute)"
    }
}
