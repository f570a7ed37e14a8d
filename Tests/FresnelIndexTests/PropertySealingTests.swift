import FresnelIndex
import FresnelModel
import FresnelSystem
import Synchronization
import Testing

@Suite("Sealing beside writing and merging")
struct PropertySealingTests {
    private typealias Parts = PropertyPartGroupTests

    @Test("leaves what a replica without files contains, also after a crash", arguments: 0..<24)
    func beside(round: Int) throws {
        let seed = PropertyMatchingTests.seed &+ UInt64(1700 + round)
        var chance = MatchingChance(seed: seed)
        let disk = MemoryStorage()
        let storage = EventfulStorage(disk)
        var replica = try Parts.replica(storage)
        let twin = try Parts.replica()
        var journal: [PartInput] = []
        var numbered = 0
        for turn in 1...12 {
            let parts = try Parts.parts(
                3 + chance.below(4), after: twin.lastSequence, &numbered, &chance)
            journal += parts
            for part in parts { _ = twin.apply(part) }
            let before = chance.below(parts.count)
            for part in parts.prefix(before) { _ = replica.apply(part) }
            let dies = chance.below(3) == 0
            let meanwhile = Meanwhile(
                replica, parts: parts.dropFirst(before),
                changesLeft: dies ? chance.below(12) : .max)
            storage.setEvent { () throws(SystemError) in try meanwhile.pass() }
            let wasSealed = (try? replica.seal()) != nil
            storage.setEvent(nil)
            #expect(wasSealed || dies, "seed \(seed) turn \(turn)")
            // Whoever hears that a disk is full looks for files that nothing names.
            if chance.below(2) == 0 { _ = try replica.removeStrays() }
            if !wasSealed || chance.below(3) == 0 {
                disk.crash(seed: seed &+ UInt64(turn))
                replica = try Parts.replica(storage)
            }
            for part in journal where part.sequence > replica.lastSequence {
                _ = replica.apply(part)
            }
            let now = try #require(parts.last).stampedAt
            #expect(
                replica.snapshot.contentDigest(at: twin.lastSequence, now: now)
                    == twin.snapshot.contentDigest(at: twin.lastSequence, now: now),
                "seed \(seed) turn \(turn)")
        }
    }

    @Test("is for what was there when it began; the journal keeps the rest")
    func moment() throws {
        var chance = MatchingChance(seed: 3)
        var numbered = 0
        let storage = EventfulStorage(MemoryStorage())
        let replica = try Parts.replica(storage)
        let parts = try Parts.parts(4, after: .zero, &numbered, &chance, kinds: 1)
        _ = replica.apply(Array(parts.prefix(2)))
        let meanwhile = Meanwhile(replica, parts: parts.dropFirst(2), changesLeft: .max)
        storage.setEvent { () throws(SystemError) in try meanwhile.pass() }
        #expect(try replica.seal() == parts[1].sequence)
        storage.setEvent(nil)
        #expect(replica.lastSequence == parts[3].sequence)
        #expect(replica.checkpoint == parts[1].sequence)
        #expect(replica.needsSealing)
        #expect(try replica.seal() == parts[3].sequence)
        #expect(!replica.needsSealing)
        #expect(try replica.removeStrays().isEmpty)
    }

    @Test("writes a segment once, also when the next one has no room")
    func room() throws {
        var chance = MatchingChance(seed: 5)
        var numbered = 0
        let storage = EventfulStorage(MemoryStorage())
        let replica = try Parts.replica(storage)
        for part in try Parts.parts(3, after: .zero, &numbered, &chance, kinds: 1) {
            _ = replica.apply(part)
        }
        let count = replica.snapshot.segments.count
        #expect(count > 1)
        let written = EventCount()
        storage.setEvent { () throws(SystemError) in
            // A segment's file is made, named and its name synced: the second one fails.
            guard written.next() <= 3 else {
                throw .failed(call: "write", path: "the second", reason: .noSpace)
            }
        }
        #expect(throws: IndexError.self) { try replica.seal() }
        storage.setEvent(nil)
        #expect(try replica.removeStrays().isEmpty)
        let again = EventCount()
        storage.setEvent { again.add() }
        try replica.seal()
        // Those of the others, the manifest, and a look at the folder.
        #expect(again.total == 3 * (count - 1) + 3 + 1)
    }

    @Test("keeps the files of a manifest that may be on the disk", arguments: UInt64(0)..<16)
    func unsyncedManifest(seed: UInt64) throws {
        var chance = MatchingChance(seed: 7)
        var numbered = 0
        let disk = MemoryStorage()
        let storage = EventfulStorage(disk)
        let replica = try Parts.replica(storage)
        let parts = try Parts.parts(3, after: .zero, &numbered, &chance, kinds: 1)
        for part in parts { _ = replica.apply(part) }
        let count = replica.snapshot.segments.count
        let changes = EventCount()
        storage.setEvent { () throws(SystemError) in
            let change = changes.next()
            if change == 1 {
                var policy = MergePolicy()
                policy.tinyWidth = 2
                // Nothing is damaged here.
                _ = try? replica.merge(now: Timestamp(wholeSeconds: 86_400), policy: policy)
            }
            // Files of segments are made, named, and their names synced; then the manifest's is.
            guard change <= 3 * count + 2 else {
                throw .failed(call: "fsync", path: "the directory", reason: .inputOutput)
            }
        }
        #expect(throws: IndexError.self) { try replica.seal() }
        #expect(changes.total == 3 * count + 3)
        storage.setEvent(nil)
        #expect(replica.snapshot.segments.count < count)
        _ = try replica.removeStrays()
        disk.crash(seed: seed)
        let opened = try Parts.replica(storage)
        for part in parts where part.sequence > opened.lastSequence { _ = opened.apply(part) }
        let (last, now) = (replica.lastSequence, try #require(parts.last).stampedAt)
        #expect(
            opened.snapshot.contentDigest(at: last, now: now)
                == replica.snapshot.contentDigest(at: last, now: now))
    }

    @Test("does not begin a file that would leave journals no room")
    func fullDisk() throws {
        var chance = MatchingChance(seed: 6)
        var numbered = 0
        let disk = MemoryStorage()
        let storage = EventfulStorage(disk)
        let replica = try Parts.replica(storage)
        _ = replica.apply(try Parts.parts(2, after: .zero, &numbered, &chance, kinds: 1))
        disk.setCapacity(16)
        let opened = EventCount()
        storage.setEvent { opened.add() }
        #expect(throws: IndexError.self) { try replica.seal() }
        #expect(opened.total == 0)
        disk.setCapacity(nil)
        #expect(try replica.seal() == replica.lastSequence)
    }

    @Test("ends when a replica is closed: its directory is not touched any more")
    func closed() throws {
        var chance = MatchingChance(seed: 4)
        var numbered = 0
        let storage = EventfulStorage(MemoryStorage())
        let replica = try Parts.replica(storage)
        _ = replica.apply(try Parts.parts(2, after: .zero, &numbered, &chance, kinds: 1))
        replica.close()
        storage.setEvent { () throws(SystemError) in
            throw .failed(call: "write", path: "a closed replica's", reason: .inputOutput)
        }
        #expect(try replica.seal() == .zero)
        #expect(try replica.removeStrays().isEmpty)
    }
}

/// How often something happened.
private final class EventCount: Sendable {
    private let count = Atomic(0)

    var total: Int { count.load(ordering: .relaxed) }

    func add() { count.add(1, ordering: .relaxed) }

    /// The number of this time.
    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}

/// What happens to a replica while it is sealed: at each change of a file a part is applied, or
/// segments are merged; in the end the process may die.
private final class Meanwhile: Sendable {
    private let replica: ReplicaIndex
    private let state: Mutex<(parts: [PartInput], changesLeft: Int)>

    init(_ replica: ReplicaIndex, parts: ArraySlice<PartInput>, changesLeft: Int) {
        self.replica = replica
        state = Mutex((Array(parts), changesLeft))
    }

    func pass() throws(SystemError) {
        try state.withLock { (state) throws(SystemError) in
            state.changesLeft -= 1
            guard state.changesLeft >= 0 else {
                throw .failed(call: "kill", path: "any", reason: .inputOutput)
            }
            if !state.parts.isEmpty {
                _ = replica.apply(state.parts.removeFirst())
            } else {
                var policy = MergePolicy()
                policy.tinyWidth = 2
                // Nothing is damaged here: a merge that fails shows in what is compared.
                _ = try? replica.merge(now: Timestamp(wholeSeconds: 86_400), policy: policy)
            }
        }
    }
}
