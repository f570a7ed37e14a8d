import FresnelKernels

/// Walks several sorted texts at once, equal texts together.
struct TextMerge {
    /// One text of one of the lists.
    struct Entry {
        var source: Int
        var rank: UInt32
    }

    /// What is known of a list's next text; it decides most comparisons.
    fileprivate struct Look {
        /// The first eight bytes of its key.
        var head: UInt64 = 0
        /// The bytes of its key.
        var count = 0
        var isFolded = true
    }

    private let sources: [MergedTexts]
    private var next: [UInt32]
    private var looks: [Look]
    private var open: [Int]

    init(_ texts: [SortedTexts]) {
        let sources = texts.map(MergedTexts.init)
        self.sources = sources
        next = [UInt32](repeating: 0, count: sources.count)
        looks = [Look](repeating: Look(), count: sources.count)
        open = sources.indices.filter { sources[$0].count > 0 }
        for source in open { looks[source] = sources[source].look(at: 0) }
    }

    /// Replaces `group` by the entries of the least text left, in order of source; false at the
    /// end.
    mutating func next(into group: inout [Entry]) -> Bool {
        group.removeAll(keepingCapacity: true)
        guard var least = open.first else { return false }
        for source in open {
            let order = source == least ? 0 : compare(source, least)
            if order < 0 {
                group.removeAll(keepingCapacity: true)
                least = source
            }
            if order <= 0 { group.append(Entry(source: source, rank: next[source])) }
        }
        for entry in group { advance(entry.source) }
        return true
    }

    private mutating func advance(_ source: Int) {
        next[source] += 1
        if Int(next[source]) < sources[source].count {
            looks[source] = sources[source].look(at: next[source])
        } else {
            open.removeAll { $0 == source }
        }
    }

    /// Adds the text of an entry to others.
    func append(_ entry: Entry, to arena: inout SortedArena) {
        sources[entry.source].append(entry.rank, to: &arena)
    }

    private func compare(_ left: Int, _ right: Int) -> Int {
        let (look, other) = (looks[left], looks[right])
        if look.head != other.head { return look.head < other.head ? -1 : 1 }
        if min(look.count, other.count) <= 8 {
            // One is the beginning of the other, or both are the same key.
            if look.count != other.count { return look.count - other.count }
            if look.isFolded, other.isFolded { return 0 }
        }
        return sources[left].compare(next[left], with: next[right], of: sources[right])
    }
}

/// The texts of one source.
///
/// A class, so that a look at one text counts one reference, not those of all arrays.
private final class MergedTexts {
    private let texts: SortedTexts
    let count: Int

    init(_ texts: SortedTexts) {
        self.texts = texts
        count = texts.count
    }

    func look(at rank: UInt32) -> TextMerge.Look { texts.look(at: rank) }

    func compare(_ rank: UInt32, with other: UInt32, of others: MergedTexts) -> Int {
        texts.compare(rank, with: other, of: others.texts)
    }

    func append(_ rank: UInt32, to arena: inout SortedArena) { arena.append(rank, of: texts) }
}

extension SortedTexts {
    fileprivate func look(at rank: UInt32) -> TextMerge.Look {
        TextMerge.Look(
            head: ByteOrder.leadingWord(of: key(of: rank)), count: key(of: rank).count,
            isFolded: isFolded(rank))
    }

    /// Below, equal to or above zero as a text is before, equal to or behind one of other texts.
    fileprivate func compare(_ rank: UInt32, with other: UInt32, of texts: SortedTexts) -> Int {
        let keys = ByteOrder.compare(key(of: rank), texts.key(of: other))
        if keys != 0 { return keys }
        return ByteOrder.compare(original(of: rank), texts.original(of: other))
    }
}

extension SortedArena {
    /// Adds a text of a segment.
    fileprivate mutating func append(_ rank: UInt32, of texts: SortedTexts) {
        append(key: texts.key(of: rank), original: texts.original(of: rank))
    }
}
