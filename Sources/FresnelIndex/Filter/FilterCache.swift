import FresnelKernels
import Synchronization

// A filter decides about a stored document the same way for ever: it does not score, and segments
// never change. So its documents of a segment are kept, deleted and expired ones included, and a
// search takes away what it may not see, as it does without the cache. Segments have numbers that
// are never reused, so nothing ever has to be declared invalid: what a merge replaced is no longer
// asked for, and goes first when room is needed.
//
// Sets stand in two generations: those that were asked for since generations last changed, and
// those that were asked for before. When the recent ones fill their half of the room they become
// the former, and the former go, all at once: no search waits while somebody looks for the oldest.

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

    private struct Generation {
        var sets: [Key: DocumentSet] = [:]
        var bytes = 0
    }

    private struct State {
        var numbers: [FilterIdentity: FilterNumber] = [:]
        var lastNumber: UInt64 = 0
        var recent = Generation()
        var former = Generation()
        var counters = Counters()

        /// Keeps a set as one that was just asked for.
        ///
        /// - Returns: what that gave up, for the caller to free outside of the lock.
        mutating func keep(_ documents: DocumentSet, for key: Key, most: Int) -> Generation? {
            let bytes = documents.cachedBytes
            var givenUp: Generation?
            if recent.bytes + bytes > most {
                givenUp = former
                counters.evictions += UInt64(former.sets.count)
                (former, recent) = (recent, Generation())
            }
            recent.sets[key] = documents
            recent.bytes += bytes
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
    package var byteCount: Int { state.withLock { $0.recent.bytes + $0.former.bytes } }
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
        let (found, _) = state.withLock { state -> (DocumentSet?, Generation?) in
            if let found = state.recent.sets[key] {
                state.counters.hits += 1
                return (found, nil)
            }
            guard let found = state.former.sets.removeValue(forKey: key) else {
                state.counters.misses += 1
                return (nil, nil)
            }
            state.former.bytes -= found.cachedBytes
            state.counters.hits += 1
            return (found, state.keep(found, for: key, most: limitBytes / 2))
        }
        return found
    }

    /// Keeps the documents of a segment that a filter matches, when they are not too many.
    func insert(_ documents: DocumentSet, of filter: FilterNumber, in segment: Segment) {
        guard documents.cachedBytes <= limitBytes / 4 else { return }
        let key = Key(filter: filter, segment: segment.number)
        _ = state.withLock { state -> Generation? in
            // Another search may have found them meanwhile.
            guard state.recent.sets[key] == nil, state.former.sets[key] == nil else { return nil }
            return state.keep(documents, for: key, most: limitBytes / 2)
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
