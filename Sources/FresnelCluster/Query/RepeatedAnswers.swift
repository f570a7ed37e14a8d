import FresnelModel
import FresnelWire

// To tell a kept answer the broker looks where every shard stands, cuts the query into parts, and
// finds the answer under the name that both make; that is most of its work. Whoever is asked the
// very same again, while the shards stand where they stood, need not do it again. Where they stand
// is looked at once after each event that may move them, whatever it is, and has a number.

/// Kept answers as they were told a moment ago, for whoever asks the very same (decision 0043).
struct RepeatedAnswers: Sendable {
    /// The messages of one answer.
    struct Entry: Sendable {
        /// As they were sent, the completion last.
        let messages: [Message]
        /// Of which answer they tell.
        let answer: KeptAnswers.Answer
        /// Where the shards stood.
        let standing: ShardStandings.Number
        /// Its cursors name that instant.
        let toldAt: Instant
        /// Of the request, as it travels.
        let requestBytes: Int

        /// What it costs in memory, about: the sort keys of both ends and two cursors beside.
        var byteCount: Int { 4 * requestBytes + answer.byteCount + 3 * answer.endBytes }
    }

    /// A request with the bytes of its texts, of which answers tell: warnings name places in them,
    /// cursors have their digest.
    private struct Request: Hashable {
        private let search: WireSearch

        init(_ search: WireSearch) { self.search = search }

        static func == (left: Request, right: Request) -> Bool {
            left.search == right.search && isExact(left.search.query, right.search.query)
                && left.search.filters.elementsEqual(right.search.filters, by: isExact)
                && left.search.attributes.elementsEqual(right.search.attributes, by: isExact)
                && isExact(left.search.context.language, right.search.context.language)
                && left.search.sort.elementsEqual(right.search.sort) {
                    isExact($0.attribute, $1.attribute)
                }
        }

        private static func isExact(_ left: String, _ right: String) -> Bool {
            ExactText(left) == ExactText(right)
        }

        func hash(into hasher: inout Hasher) { hasher.combine(search) }
    }

    private var entries: [Request: Entry] = [:]
    private var bytes = 0

    /// What was told to the same request, down to its credit; nil where that is not known, is a
    /// second old, or a document may have expired since.
    ///
    /// It holds where the shards stand as they did.
    func entry(for search: WireSearch, at moment: Moment) -> Entry? {
        guard let entry = entries[Request(search)],
            moment.instant - entry.toldAt < Limits.repeatedAnswerAge,
            entry.answer.covers(moment.wall.seconds)
        else { return nil }
        return entry
    }

    /// Whether an answer is told by heart to who asks again: a request with a slot ends another
    /// one, and of a large answer the looking is little beside the sending.
    static func isWorthKnowing(_ answer: KeptAnswers.Answer, to search: WireSearch) -> Bool {
        search.slot.isEmpty && answer.byteCount <= Limits.smallAnswerBytes
    }

    /// Remembers what was told; all that was told before is forgotten when it becomes much.
    ///
    /// Only of requests with answers that are worth it.
    mutating func note(_ entry: Entry, for search: WireSearch) {
        guard entry.requestBytes <= Limits.repeatedRequestBytes else { return }
        if bytes + entry.byteCount > Limits.repeatedAnswersBytes {
            entries.removeAll(keepingCapacity: true)
            bytes = 0
        }
        let replaced = entries.updateValue(entry, forKey: Request(search))
        bytes += entry.byteCount - (replaced?.byteCount ?? 0)
    }
}

/// Where the shards of some indexes stand, and numbers for it: the same number, the same state.
///
/// What is known holds until the next event that may move a shard.
struct ShardStandings: Sendable {
    /// Names one state of some shards.
    struct Number: Hashable, Sendable {
        fileprivate let value: UInt64
    }

    /// All that an answer depends on beside the request and the time.
    struct Standing: Equatable, Sendable {
        /// Of the newest index or custom key.
        let structureVersion: UInt64
        let shards: [SearchableShard]

        init(_ shards: [SearchableShard], structureVersion: UInt64) {
            self.structureVersion = structureVersion
            // Which of several replicas is asked takes turns, and what was counted last comes with
            // heartbeats: neither is part of an answer at some part of the shard.
            self.shards = shards.map { shard in
                var shard = shard
                shard.worker = shard.worker.map { _ in WorkerID("") }
                (shard.epoch, shard.documents) = (Epoch(0), 0)
                return shard
            }
        }
    }

    private struct Known: Sendable {
        let number: Number
        let standing: Standing
        /// The last event after which it was looked at.
        var event: UInt64
    }

    private var known: [[String]: Known] = [:]
    /// As queries find them, since the newest event.
    private var found: [[String]: [SearchableShard]] = [:]
    private var lastNumber: UInt64 = 0
    private var event: UInt64 = 0

    /// Something happened that may move a shard.
    mutating func noteEvent() {
        event += 1
        if !found.isEmpty { found = [:] }
    }

    /// The number of where the shards of some indexes stand; nil where that has to be looked at.
    func number(of indexes: [String]) -> Number? {
        known[indexes].flatMap { $0.event == event ? $0.number : nil }
    }

    /// The shards of some indexes as a query finds them; nil where they have to be looked at.
    func shards(of indexes: [String]) -> [SearchableShard]? { found[indexes] }

    /// Takes in the shards of some indexes.
    ///
    /// Not of those with several replicas, which may take turns, nor of long lists of indexes: a
    /// client can make one as long as a message.
    mutating func note(_ shards: [SearchableShard], of indexes: [String]) {
        guard indexes.count <= Self.mostIndexes, !shards.contains(where: \.isReplicated)
        else { return }
        if found.count >= Limits.rememberedStandings { found = [:] }
        found[indexes] = shards
    }

    private static let mostIndexes = 16

    /// Everything that is known now, for tests.
    var remembered: (shards: [[String]: [SearchableShard]], standings: [[String]: Standing]) {
        (found, known.filter { $0.value.event == event }.mapValues(\.standing))
    }

    /// Takes in where they stand.
    mutating func note(_ standing: Standing, of indexes: [String]) -> Number {
        if let same = known[indexes], same.standing == standing {
            known[indexes]?.event = event
            return same.number
        }
        if known.count >= Limits.rememberedStandings { known = [:] }
        lastNumber += 1
        let number = Number(value: lastNumber)
        known[indexes] = Known(number: number, standing: standing, event: event)
        return number
    }
}
