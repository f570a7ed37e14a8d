import FresnelText
import FresnelWire

/// The first of many values in the order of lists, found without sorting those that come later.
///
/// A facet can have a million values of which a list holds some thousands. Values are collected up
/// to twice what is wanted, and then the later half is dropped.
struct MostFrequentValues {
    /// A value with all that the order looks at.
    struct Ranked {
        let key: FacetKey
        let count: UInt64
        /// The folded key of a text; empty for others.
        let folded: [UInt8]

        init(_ key: FacetKey, count: UInt64) {
            self.key = key
            self.count = count
            var folded: [UInt8] = []
            if case .text(let bytes) = key { appendFoldedKey(of: bytes.span, to: &folded) }
            self.folded = folded
        }

        /// The order of `WireFacetValue.precedes`.
        func precedes(_ other: Ranked) -> Bool {
            guard count == other.count else { return count > other.count }
            return switch (key, other.key) {
            case (.number(let mine), .number(let theirs)), (.date(let mine), .date(let theirs)):
                Double(bitPattern: mine) < Double(bitPattern: theirs)
            case (.text(let mine), .text(let theirs)):
                folded == other.folded
                    ? mine.lexicographicallyPrecedes(theirs)
                    : folded.lexicographicallyPrecedes(other.folded)
            default: key.kindRank < other.key.kindRank
            }
        }
    }

    private let capacity: Int
    private var kept: [Ranked] = []
    /// The last value that is wanted, once there are enough.
    private var last: Ranked?

    /// - Parameter capacity: how many values are wanted, at least 1.
    init(capacity: Int) {
        self.capacity = capacity
    }

    mutating func add(_ key: FacetKey, count: UInt64) {
        if let last, count < last.count { return }
        let value = Ranked(key, count: count)
        if let last, !value.precedes(last) { return }
        kept.append(value)
        if kept.count >= 2 * capacity { shorten() }
    }

    /// The wanted values in their order.
    mutating func take() -> [Ranked] {
        shorten()
        return kept
    }

    private mutating func shorten() {
        kept.sort { $0.precedes($1) }
        guard kept.count >= capacity else { return }
        kept.removeLast(kept.count - capacity)
        last = kept.last
    }
}

extension FacetKey {
    /// Numbers come before dates, and these before texts.
    fileprivate var kindRank: Int {
        switch self {
        case .number: 0
        case .date: 1
        case .text: 2
        }
    }
}
