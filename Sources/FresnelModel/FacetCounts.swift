/// The found documents counted by the values of one attribute.
public struct FacetCounts: Hashable, Sendable {
    /// One value and its documents.
    public struct Entry: Hashable, Sendable {
        /// A text, a number or a date; people count under their names, localised texts under the
        /// default text.
        public var value: AttributeValue
        /// Found documents that have the value, each counted once.
        public var count: UInt64

        /// Makes an entry.
        public init(_ value: AttributeValue, count: UInt64) {
            self.value = value
            self.count = count
        }
    }

    /// The attribute.
    public var attribute: String
    /// The most frequent values first; equally frequent ones ascend as in a sorted answer.
    public var entries: [Entry]
    /// Found documents that have a value.
    public var documents: UInt64
    /// Found documents that have none.
    public var missing: UInt64
    /// How many different values there are; nil where that is not known.
    public var distinct: UInt64?
    /// By how much a count may be too low: 0 where counts and order are exact.
    ///
    /// A value that is not listed has at most this many documents more than the last that is.
    public var bound: UInt64
    /// How often workers were asked: 2 where their first lists were not enough and more could be
    /// asked for, and 1 else.
    public var rounds: Int

    /// Makes the counts of an attribute.
    public init(
        attribute: String, entries: [Entry], documents: UInt64, missing: UInt64,
        distinct: UInt64? = nil, bound: UInt64 = 0, rounds: Int = 1
    ) {
        self.attribute = attribute
        self.entries = entries
        self.documents = documents
        self.missing = missing
        self.distinct = distinct
        self.bound = bound
        self.rounds = rounds
    }

    /// Whether the counts and their order are exact for what was searched.
    public var isExact: Bool { bound == 0 }
}
