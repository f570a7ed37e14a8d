import Foundation
import FresnelKernels
import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Cluster state")
struct ClusterStateTests {
    @Test(
        "An index that is not there is answered with the one that was meant, or with all",
        arguments: [
            ([], "shop", "there is no index \"shop\", and no other: the first document makes one"),
            (["default"], "defualt", "there is no index \"defualt\"; did you mean \"default\""),
            (["default"], "shop", "there is no index \"shop\"; there is default"),
            (["books", "music"], "shop", "there is no index \"shop\"; there are books, music"),
            (
                (0..<11).map { "index\(String(repeating: "x", count: $0))" }, "shop",
                "there is no index \"shop\"; there are "
                    + (0..<8).map { "index\(String(repeating: "x", count: $0))" }
                    .joined(separator: ", ") + " and 3 more"
            ),
        ])
    func unknownIndex(names: [String], asked: String, complaint: String) {
        var state = ClusterState(clusterID: 42)
        for name in names {
            state.change(
                IndexState(
                    name: name, identity: IndexIdentity(high: 7, low: 8), shardCount: 1,
                    shards: [ShardState(on: [WorkerID("a")])], defaultExpirationSeconds: 60))
        }
        #expect(state.complaint(aboutIndex: asked) == complaint)
    }

    private func sample() throws -> ClusterState {
        var state = ClusterState(clusterID: 42)
        state.epoch = Epoch(3)
        var items = IndexState(
            name: "items",
            identity: IndexIdentity(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210),
            shardCount: 3, shards: ["a", "b", "a"].map { ShardState(on: [WorkerID($0)]) },
            defaultExpirationSeconds: 60)
        items.holdsRelated = true
        items.shards[0].recognize(ReplicaIdentity(1), on: WorkerID("a"))
        items.shards[2].recognize(ReplicaIdentity(.max), on: WorkerID("a"))
        items.sequenceLease = SequenceNumber(99)
        items.clientState = [1, 2, 3]
        items.clientStateOrigin = ClientStateOrigin(clientHigh: 1, clientLow: 2, batchNumber: 3)
        try items.schema.declare(try CustomAttributeKey("shelf", .string))
        try items.schema.declare(try CustomAttributeKey("mass", .number, isUnique: true))
        state.change(items)
        state.change(
            IndexState(
                name: "notes", identity: IndexIdentity(high: 7, low: 8), shardCount: 1,
                shards: [ShardState(on: [WorkerID("b")])], defaultExpirationSeconds: nil))
        return state
    }

    @Test("What is written is read again")
    func roundTrip() throws {
        let state = try sample()
        #expect(try ClusterState(decoding: state.encoded) == state)
        let empty = ClusterState(clusterID: 1)
        #expect(try ClusterState(decoding: empty.encoded) == empty)
    }

    /// The bytes of the golden file of a format.
    private func golden(_ format: Int) throws -> [UInt8] {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Golden/cluster-state/v\(format)/two-indexes.hex")
        let digits = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .flatMap { line in line.prefix { $0 != "#" }.filter { !$0.isWhitespace } }
        return stride(from: 0, to: digits.count, by: 2).compactMap { position in
            UInt8(String(digits[position...position + 1]), radix: 16)
        }
    }

    @Test("A state without identities of indexes is read, and a broker draws them for good")
    func withoutIdentities() throws {
        let old = try ClusterState(decoding: golden(2))
        #expect(old.indexes.map(\.identity) == [.unknown, .unknown])
        var expected = try sample()
        for index in expected.indexes {
            var index = index
            index.identity = .unknown
            expected.change(index)
        }
        #expect(old.indexes == expected.indexes && old.epoch == expected.epoch)
        let first = BrokerHarness(state: old, seed: 1)
        let drawn = first.core.state.indexes.map(\.identity)
        #expect(Set(drawn).count == 2 && !drawn.contains(.unknown))
        let kept = try ClusterState(decoding: first.core.state.encoded)
        let second = BrokerHarness(state: kept, seed: 2)
        #expect(second.core.state.indexes.map(\.identity) == drawn)
        let other = BrokerHarness(state: old, seed: 2)
        #expect(Set(other.core.state.indexes.map(\.identity)).isDisjoint(with: drawn))
    }

    @Test("A state is written exactly as the golden file, and read from it")
    func golden() throws {
        let expected = try golden(8)
        let state = try renamed()
        let text = state.encoded.map { String($0, radix: 16) }.joined(separator: " ")
        #expect(state.encoded == expected, "\(text)")
        #expect(try ClusterState(decoding: expected) == state)
        var undrained = state
        undrained.drain([WorkerID]())
        #expect(try ClusterState(decoding: undrained.encoded) == undrained)
    }

    /// The sample at a known time, with an alias, and with what is left of a removed index.
    private func renamed() throws -> ClusterState {
        var state = try moved()
        state.knownTime = Timestamp(wholeSeconds: 800_000_000)
        _ = state.set(alias: "all-items", to: "items")
        var former = IndexState(
            name: "former", identity: IndexIdentity(high: 9, low: 10), shardCount: 1,
            shards: [ShardState(on: [WorkerID("a")])], defaultExpirationSeconds: nil)
        former.shards[0].recognize(ReplicaIdentity(11), on: WorkerID("a"))
        state.change(former)
        state.remove(former)
        return state
    }

    @Test("A state that knew no aliases is read: none leads anywhere, and nothing was removed")
    func withoutNames() throws {
        let old = try ClusterState(decoding: golden(7))
        #expect(old.knownTime != nil && old.names == IndexNames() && old.indexes.count == 2)
    }

    @Test("A name leads to its index among many, and every other name to itself")
    func manyAliases() {
        var state = ClusterState(clusterID: 42)
        for number in 0..<100 { _ = state.set(alias: "a\(number)", to: "i\(number)") }
        #expect((0..<100).allSatisfy { state.names.index(of: "a\($0)") == "i\($0)" })
        #expect(["", "a", "a100", "b"].allSatisfy { state.names.index(of: $0) == $0 })
        #expect(state.set(alias: "a7", to: "i8") == "i7" && state.names.aliases.count == 100)
        #expect(state.unset(alias: "a7") == "i8" && state.unset(alias: "a7") == nil)
        #expect(state.names.index(of: "a7") == "a7")
    }

    @Test("A state that knew no time is read")
    func withoutTime() throws {
        #expect(try ClusterState(decoding: golden(6)).knownTime == nil)
    }

    /// The sample with three copies of one shard, one of which moves, and with a drained worker.
    private func moved() throws -> ClusterState {
        var state = try replicated()
        guard var items = state.index(named: "items") else { return state }
        items.shards[1].move(from: WorkerID("b"), to: WorkerID("a"))
        items.shards[2].assign(WorkerID("c"))
        items.shards[2].recognize(ReplicaIdentity(12), on: WorkerID("c"))
        let isRemoved = items.shards[2].remove(WorkerID("c"))
        #expect(isRemoved)
        state.change(items)
        state.drain([WorkerID("b")])
        state.note(DirectoryIdentity(high: 1, low: 2), of: WorkerID("a"))
        return state
    }

    @Test("A state that knew no moves is read: nothing moves, and no worker is drained")
    func withoutMoves() throws {
        let old = try ClusterState(decoding: golden(4))
        #expect(old.drained.isEmpty)
        #expect(old.indexes.flatMap(\.shards).allSatisfy { $0.moving == nil && $0.dropped.isEmpty })
    }

    @Test("A state that knew no directories is read: the next ones that workers show are known")
    func withoutDirectories() throws {
        let old = try ClusterState(decoding: golden(5))
        #expect(old.directories.isEmpty && old.drained == [WorkerID("b")])
    }

    @Test("The first directory of a name is known until the operator gives it up")
    func directories() throws {
        var state = try sample()
        let (first, other) = (
            DirectoryIdentity(high: 1, low: 2), DirectoryIdentity(high: 3, low: 4)
        )
        state.note(.unknown, of: WorkerID("a"))
        #expect(state.directories.isEmpty)
        for directory in [first, other] { state.note(directory, of: WorkerID("a")) }
        #expect(state.directories == [WorkerID("a"): first])
        state.note(other, of: WorkerID("a"), replacing: true)
        #expect(state.directories == [WorkerID("a"): other])
        // One that holds nothing is forgotten as soon as another one is noted.
        state.note(first, of: WorkerID("idle"))
        state.note(first, of: WorkerID("b"))
        #expect(state.directories.keys.sorted() == [WorkerID("a"), WorkerID("b")])
    }

    @Test("A replica that moves leaves when it is told to, and its worker is to remove it")
    func moves() {
        let (a, b) = (WorkerID("a"), WorkerID("b"))
        var shard = ShardState(on: [a])
        shard.recognize(ReplicaIdentity(5), on: a)
        shard.move(from: a, to: b)
        #expect(shard.moving?.worker == a && shard.inSync == [a] && shard.epoch == Epoch(2))
        let tooEarly = shard.remove(a)
        #expect(!tooEarly, "nobody else is in sync")
        shard.admit(b)
        let isRemoved = shard.remove(a)
        #expect(isRemoved && shard.replicas.map(\.worker) == [b] && shard.epoch == Epoch(4))
        #expect(
            shard.dropped == [
                DroppedReplica(worker: a, identity: ReplicaIdentity(5), epoch: Epoch(4))
            ])
        shard.forget(dropped: a, at: Epoch(3))
        #expect(shard.dropped.count == 1, "an older answer means an older replica")
        shard.assign(a)
        #expect(shard.dropped.isEmpty && shard.epoch == Epoch(5), "it keeps what it has")
        let isTakenBack = shard.remove(a)
        #expect(isTakenBack)
        shard.forget(dropped: a, at: Epoch(6))
        #expect(shard.dropped.isEmpty && shard.inSync == [b])
    }

    private func replicated() throws -> ClusterState {
        var state = try sample()
        var notes = IndexState(
            name: "notes", identity: IndexIdentity(high: 7, low: 8), shardCount: 1,
            replication: 3, shards: [ShardState(on: [WorkerID("b"), WorkerID("a")])],
            defaultExpirationSeconds: nil)
        notes.shards[0].recognize(ReplicaIdentity(9), on: WorkerID("b"))
        let isExcluded = notes.shards[0].exclude(WorkerID("a"), as: .stale)
        #expect(isExcluded)
        notes.shards[0].assign(WorkerID("c"))
        notes.shards[0].acknowledged = SequenceNumber(7)
        state.change(notes)
        return state
    }

    @Test("A state without reasons of leaving, and without what was acknowledged, is read")
    func withoutReasons() throws {
        let old = try ClusterState(decoding: golden(4))
        let shards = old.indexes.flatMap(\.shards)
        #expect(shards.allSatisfy { $0.acknowledged == .zero })
        #expect(shards.flatMap(\.replicas).allSatisfy { $0.departure == .unspecified })
        #expect(shards.last?.replicas.map(\.isInSync) == [true, false, false])
    }

    @Test("A state that knew one copy of each shard is read: all of them are in sync")
    func withoutReplicas() throws {
        let old = try ClusterState(decoding: golden(3))
        #expect(old == (try sample()))
        #expect(old.indexes.allSatisfy { $0.replication == 1 })
        #expect(old.indexes.flatMap(\.shards).allSatisfy { $0.inSync.count == 1 })
    }

    @Test("The last replica that is in sync stays it, and every change grows the shard's epoch")
    func inSyncSet() {
        let (a, b, c) = (WorkerID("a"), WorkerID("b"), WorkerID("c"))
        var shard = ShardState(on: [a, b])
        #expect(shard.inSync == [a, b] && shard.epoch == Epoch(1))
        let isOut = shard.exclude(a)
        #expect(isOut && shard.inSync == [b] && shard.epoch == Epoch(2))
        let former = shard
        var isExcluded = false
        for worker in [b, a, c] where shard.exclude(worker) { isExcluded = true }
        #expect(!isExcluded && shard == former)
        shard.assign(c)
        #expect(shard.inSync == [b] && shard.epoch == Epoch(3))
        shard.admit(a)
        #expect(shard.inSync == [a, b] && shard.epoch == Epoch(4))
        #expect(shard.replica(on: a)?.since == Epoch(2))
        #expect(shard.replica(on: b)?.since == Epoch(1))
    }

    @Test("A state of an older format is refused with what to do")
    func olderFormat() throws {
        var bytes = Array(try sample().encoded.dropLast(8))
        bytes[8] = 1
        let checksum = Hash.checksum(of: bytes)
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: checksum >> (8 * $0)) }
        #expect(throws: ClusterStateError.format(1)) { _ = try ClusterState(decoding: bytes) }
        #expect("\(ClusterStateError.format(1))".contains("index again"))
    }

    @Test("An empty file, and another program's, is refused with a way out")
    func noState() {
        for bytes in [[], Array("SQLite format 3 and so on".utf8)] as [[UInt8]] {
            #expect(throws: ClusterStateError.notAState) { _ = try ClusterState(decoding: bytes) }
        }
        let text = "\(ClusterStateError.notAState)"
        #expect(text.contains("empty") && text.contains("--data"))
    }

    @Test("Who has no state that can be read is never told to remove what workers hold")
    func wayOut() {
        for error in [ClusterStateError.notAState, .damaged("the checksum does not fit")] {
            let text = "\(error)"
            #expect(text.contains("newest copy back") && text.contains("--adopt"), "\(text)")
            #expect(!text.contains("index again"), "\(text)")
        }
    }

    @Test("Every flipped byte is noticed")
    func flippedBytes() throws {
        let bytes = try sample().encoded
        for position in bytes.indices {
            var damaged = bytes
            damaged[position] ^= 0x20
            #expect(throws: ClusterStateError.self, "byte \(position)") {
                _ = try ClusterState(decoding: damaged)
            }
        }
    }

    @Test("Every truncation is noticed, and every addition")
    func lengths() throws {
        let bytes = try sample().encoded
        for length in bytes.indices {
            #expect(throws: ClusterStateError.self, "\(length) bytes") {
                _ = try ClusterState(decoding: Array(bytes.prefix(length)))
            }
        }
        #expect(throws: ClusterStateError.self) { _ = try ClusterState(decoding: bytes + [0]) }
    }

    @Test("A sequence number is never given out twice, also not after a restart")
    func sequences() {
        var index = IndexState(
            name: "items", identity: .unknown, shardCount: 1, shards: [],
            defaultExpirationSeconds: nil)
        var given: Set<SequenceNumber> = []
        var last: SequenceNumber?
        for step in 0..<10 {
            let sequence = index.takeSequence(after: last)
            #expect(given.insert(sequence).inserted)
            #expect(sequence < index.sequenceLease)
            last = step == 4 ? nil : sequence
        }
    }

    @Test("Every change grows the version, and indexes stay ordered by name")
    func versions() throws {
        var state = try sample()
        let version = state.version
        state.touch()
        #expect(state.version == version + 1)
        #expect(state.indexes.map(\.name) == ["items", "notes"])
    }

    @Test(
        "A client state's origin covers its own batch and earlier ones of its client only",
        arguments: [(2, 3, true), (2, 2, true), (2, 4, false), (1, 3, false)]
            as [(UInt64, UInt64, Bool)])
    func origins(client: UInt64, batch: UInt64, isCovered: Bool) {
        let origin = ClientStateOrigin(clientHigh: 0, clientLow: 2, batchNumber: 3)
        let other = ClientStateOrigin(clientHigh: 0, clientLow: client, batchNumber: batch)
        #expect(origin.covers(other) == isCovered)
    }
}
