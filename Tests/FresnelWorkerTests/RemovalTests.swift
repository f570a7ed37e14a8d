import FresnelCluster
import FresnelIndex
import FresnelModel
import FresnelSystem
import FresnelWire
import Testing

@testable import FresnelWorker

@Suite("Removing a replica of a removed index")
struct RemovalTests {
    private let folder = "/worker/indexes/shop"

    private var number: String { "\(WorkerBench.shard.shard.number)" }

    /// A worker whose shard has three parts.
    private func written() throws -> CopyPair {
        let pair = try CopyPair()
        try pair.write(1...3)
        pair.order()
        pair.run()
        return pair
    }

    private func drop(
        _ pair: CopyPair, identity: UInt64 = 0, unseen: Bool = false, of index: UInt64? = nil
    ) throws -> WireReplicaState {
        var order = WireDropReplica()
        order.index = WorkerBench.shard.index
        order.shard = WorkerBench.shard.shard.number
        order.epoch = 9
        order.identity = identity
        order.unseen = unseen
        order.indexRemoved = index != nil
        order.indexIdentityLow = index ?? 0
        pair.receiver.order(.drop(order))
        return try #require(
            pair.run(turns: 20) { $0.phase == .dropped || $0.phase == .failed })
    }

    @Test("The replica that is meant goes, and the folder of its index with the last one")
    func meant() throws {
        let pair = try written()
        let replica = try #require(pair.receiver.bench.table[WorkerBench.shard])
        let identity = replica.identity
        #expect(try drop(pair, identity: identity.value).phase == .dropped)
        #expect(pair.receiver.bench.table[WorkerBench.shard] == nil)
        #expect(try !pair.receiver.bench.storage.isDirectory(folder))
    }

    @Test(
        "Another directory than the one that is meant is kept for people, with all it has",
        arguments: [false, true])
    func other(isUnseen: Bool) throws {
        let pair = try written()
        #expect(try drop(pair, identity: isUnseen ? 0 : 77, unseen: isUnseen).phase == .dropped)
        #expect(pair.receiver.bench.table[WorkerBench.shard] == nil)
        #expect(try pair.receiver.bench.storage.list(folder) == ["\(number).aside"])
        let manifest = "\(folder)/\(number).aside/segments/MANIFEST"
        #expect(pair.receiver.bench.storage.size(of: manifest) != nil)
    }

    @Test("That an index was removed is remembered, and that a replica moved away is not")
    func remembered() throws {
        for index in [nil, 77] as [UInt64?] {
            let pair = try CopyPair()
            pair.order()
            #expect(try drop(pair, unseen: true, of: index).phase == .dropped)
            let path = WorkerBench.root + "/removed-indexes"
            let isThere = pair.receiver.bench.storage.size(of: path) != nil
            #expect(isThere == (index != nil))
            guard isThere else { continue }
            let file = try #require(RemovedFile(pair.receiver.bench.storage.read(path)))
            let identity = IndexIdentity(high: 0, low: 77)
            #expect(file.marks == [.init(name: WorkerBench.shard.index, identity: identity)])
        }
    }

    @Test("What is remembered is read again, is no more than some hundreds, and damage is noticed")
    func file() throws {
        var file = RemovedFile()
        for number in 1...UInt64(Limits.rememberedRemovals + 5) {
            let mark = RemovedFile.Mark(
                name: "shop-\(number)", identity: IndexIdentity(high: number, low: 1))
            let isNew = file.add(mark)
            let isNewAgain = file.add(mark)
            #expect(isNew && !isNewAgain)
        }
        #expect(file.marks.count == Limits.rememberedRemovals)
        #expect(file.marks.first?.name == "shop-6")
        #expect(RemovedFile(file.encoded) == file)
        #expect(RemovedFile(RemovedFile().encoded) == RemovedFile())
        let bytes = file.encoded
        for place in stride(from: 0, to: bytes.count, by: 97) {
            var damaged = bytes
            damaged[place] ^= 1
            #expect(RemovedFile(damaged) == nil, "byte \(place)")
        }
        #expect(RemovedFile(Array(bytes.dropLast(30))) == nil && RemovedFile([]) == nil)
    }

    @Test("A replica that nobody saw and that never got a part goes")
    func fresh() throws {
        let pair = try CopyPair()
        pair.order()
        #expect(try drop(pair, unseen: true).phase == .dropped)
        #expect(try !pair.receiver.bench.storage.isDirectory(folder))
    }
}
