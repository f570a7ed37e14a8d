import FresnelKernels
import Synchronization

// A filter decides about a stored document the same way for ever: it does not score, and segments
// never change. So its documents of a segment are kept, deleted and expired ones included, and a
// search takes away what it may not see, as it does without the cache. Segments have numbers that
// are never reused, so nothing ever has to be declared invalid: what a merge replaced is no longer
// asked for, and goes first when room is needed.
//
// What goes is found by a clock (Corbató 1968, "A paging experiment with the Multics system"): a
// hand goes round the sets and takes the first that was not asked for since it came by last, or at
// all. Searches share the lock, so nothing is sorted; the hand goes round once at most when all
// were asked for.

/// The documents that filter queries match, by segment; shared by the search threads of a worker.
package final class FilterCache: Sendable {
    /// What happened since the start.
    package struct Counters: Hashable, Sendable {
        /// Segments whose documents were known.
        package var hits: UInt64 = 0
        /// Segments whose documents had to be found.
        package var misses: UInt64 = 0
        /// Sets that were given up for newer ones.
        package var evictions: UInt64 = 0
    }

    /// A number for each filter, so that a key is small.
    package struct FilterNumber: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    private struct Key: Hashable {
        let filter: FilterNumber
        let segment: UInt64
    }

    private struct Entry {
        let key: Key
        let documents: DocumentSet
        /// Whether it was asked for since the hand came by; not yet when it is new.
        var wasUsed = false
    }

    private struct State {
        var numbers: [FilterIdentity: FilterNumber] = [:]
        var lastNumber: UInt64 = 0
        var places: [Key: Int] = [:]
        var entries: [Entry?] = []
        /// Places without an entry.
        var free: [Int] = []
        /// The next place that may have to go.
        var hand = 0
        var bytes = 0
        var counters = Counters()

        /// Keeps a set of a key that has none.
        mutating func keep(_ documents: DocumentSet, for key: Key) {
            let place = free.popLast() ?? entries.count
            if place == entries.count { entries.append(nil) }
            entries[place] = Entry(key: key, documents: documents)
            places[key] = place
            bytes += documents.cachedBytes
        }

        /// Gives up sets until at most so many bytes are left.
        ///
        /// - Returns: those sets, for the caller to free outside of the lock.
        mutating func makeRoom(_ most: Int) -> [DocumentSet] {
            var givenUp: [DocumentSet] = []
            while bytes > most {
                let place = hand
                hand = (hand + 1) % entries.count
                guard let entry = entries[place] else { continue }
                guard !entry.wasUsed else {
                    entries[place]?.wasUsed = false
                    continue
                }
                entries[place] = nil
                free.append(place)
                places[entry.key] = nil
                bytes -= entry.documents.cachedBytes
                givenUp.append(entry.documents)
            }
            counters.evictions += UInt64(givenUp.count)
            return givenUp
        }
    }

    /// Filters with a number at once; more than that begin anew.
    private static let filterLimit = 256
    private let limitBytes: Int
    private let state = Mutex(State())

    /// Starts empty, for sets of at most so many bytes together.
    package init(limitBytes: Int = FilterCache.standardBytes) { self.limitBytes = limitBytes }

    /// What a worker keeps: 500 million documents as bits.
    package static let standardBytes = 64 << 20

    /// Bytes of all sets.
    package var byteCount: Int { state.withLock { $0.bytes } }
    /// What happened so far.
    package var counters: Counters { state.withLock { $0.counters } }

    /// The number of a filter.
    func number(of filter: FilterIdentity) -> FilterNumber {
        state.withLock { state in
            if let number = state.numbers[filter] { return number }
            if state.numbers.count >= Self.filterLimit { state.numbers = [:] }
            state.lastNumber += 1
            let number = FilterNumber(number: state.lastNumber)
            state.numbers[filter] = number
            return number
        }
    }

    /// The documents of a segment that a filter matches; nil when they are not known.
    func documents(of filter: FilterNumber, in segment: Segment) -> DocumentSet? {
        let key = Key(filter: filter, segment: segment.number)
        return state.withLock { state in
            guard let place = state.places[key] else {
                state.counters.misses += 1
                return nil
            }
            state.counters.hits += 1
            state.entries[place]?.wasUsed = true
            return state.entries[place]?.documents
        }
    }

    /// Keeps the documents of a segment that a filter matches, when they are not too many.
    func insert(_ documents: DocumentSet, of filter: FilterNumber, in segment: Segment) {
        let bytes = documents.cachedBytes
        guard bytes <= limitBytes / 4 else { return }
        let key = Key(filter: filter, segment: segment.number)
        _ = state.withLock { state -> [DocumentSet] in
            // Another search may have found them meanwhile.
            guard state.places[key] == nil else { return [] }
            let givenUp = state.makeRoom(limitBytes - bytes)
            state.keep(documents, for: key)
            return givenUp
        }
    }
}

extension DocumentSet {
    /// What the set costs to keep, with its place in the table.
    var cachedBytes: Int {
        switch form {
        case .all: 128
        case .list(let list): 128 + 4 * list.count
        case .bits(let bits): 128 + 8 * bits.words.count
        }
    }
}
