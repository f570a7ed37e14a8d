import FresnelKernels

/// The most frequent values of a facet, kept while all are gone through once.
///
/// Equally frequent values ascend by key. What is kept does not grow with what was seen.
struct BestValues: Sendable {
    typealias Entry = (key: [UInt8], count: UInt64)

    /// How many are kept.
    let limit: Int
    /// The first is the most frequent.
    private(set) var entries: [Entry] = []

    init(limit: Int) { self.limit = limit }

    /// The last of the kept, when there are as many as may be.
    var last: Entry? { entries.count == limit ? entries.last : nil }

    /// Takes in a value with its whole count.
    mutating func add(_ entry: Entry) {
        if let last, !Self.precedes(entry, last) { return }
        let place = Bisection.end(from: 0, to: entries.count) { Self.precedes(entries[$0], entry) }
        entries.insert(entry, at: place)
        if entries.count > limit { entries.removeLast() }
    }

    static func precedes(_ left: Entry, _ right: Entry) -> Bool {
        left.count == right.count
            ? left.key.lexicographicallyPrecedes(right.key) : left.count > right.count
    }
}
