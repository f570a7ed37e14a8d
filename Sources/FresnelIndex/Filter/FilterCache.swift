import FresnelKernels
import Synchronization

// A filter decides about a stored document the same way for ever: it does not score, and segments
// never change. So its documents of a segment are kept, deleted and expired ones included, and a
// search takes away what it may not see, as it does without the cache. Segments have numbers that
// are never reused, so nothing ever has to be declared invalid: what a merge replaced is no longer
// asked for, and goes first when room is needed.

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
        let documents: DocumentSet
        var lastUse: UInt64
    }

    private struct State {
        var numbers: [FilterIdentity: FilterNumber] = [:]
        var lastNumber: UInt64 = 0
        var entries: [Key: Entry] = [:]
        var bytes = 0
        var uses: UInt64 = 0
        var counters = Counters()
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
        state.withLock { state in
            let key = Key(filter: filter, segment: segment.number)
            guard let found = state.entries[key]?.documents else {
                state.counters.misses += 1
                return nil
            }
            state.uses += 1
            state.entries[key]?.lastUse = state.uses
            state.counters.hits += 1
            return found
        }
    }

    /// Keeps the documents of a segment that a filter matches, when they are not too many.
    func insert(_ documents: DocumentSet, of filter: FilterNumber, in segment: Segment) {
        let bytes = documents.cachedBytes
        guard bytes <= limitBytes / 4 else { return }
        state.withLock { state in
            let key = Key(filter: filter, segment: segment.number)
            guard state.entries[key] == nil else { return }
            if state.bytes + bytes > limitBytes { Self.makeRoom(limitBytes / 2, in: &state) }
            state.uses += 1
            state.entries[key] = Entry(documents: documents, lastUse: state.uses)
            state.bytes += bytes
        }
    }

    /// Gives up what was used longest ago until `bytes` are left.
    private static func makeRoom(_ bytes: Int, in state: inout State) {
        for (key, entry) in state.entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
            guard state.bytes > bytes else { return }
            state.entries[key] = nil
            state.bytes -= entry.documents.cachedBytes
            state.counters.evictions += 1
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
