import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Indexes and aliases that are made")
struct IndexChangeTests {
    private func broker() -> BrokerHarness {
        var broker = BrokerHarness(shards: 2)
        broker.connect("w", 1, .worker)
        broker.connect("c", 2)
        return broker
    }

    @Test("An index is made as it is asked for, and the answer waits until it is durable")
    func creates() throws {
        var broker = broker()
        broker.writesAtOnce = false
        broker.change(.create, index: "shop", number: 3) {
            $0.shardCount = 3
            $0.expirationSeconds = 60
        }
        #expect(broker.indexesChanged == nil)
        broker.write()
        #expect(broker.indexesChanged == nil, "nobody could search it yet")
        broker.host(1, identity: 7)
        broker.write()
        #expect(broker.indexesChanged?.index == "shop")
        let index = try #require(broker.core.state.index(named: "shop"))
        #expect(index.shardCount == 3 && index.replication == 1)
        #expect(index.defaultExpirationSeconds == 60)
        #expect(broker.verbs(1, .worker).contains(.assign))
    }

    @Test("A worker that takes its time does not keep the maker of an index waiting for ever")
    func slowWorker() {
        var broker = broker()
        broker.change(.create, index: "shop", number: 3)
        broker.decide(.tick, after: 2)
        #expect(broker.indexesChanged == nil)
        broker.decide(.tick, after: 4)
        #expect(broker.indexesChanged?.index == "shop")
    }

    @Test("A creation that comes again when its index was removed makes another one")
    func comesAgain() throws {
        var broker = broker()
        broker.change(.create, index: "shop", number: 3)
        broker.host(1, identity: 7)
        let former = try #require(broker.core.state.index(named: "shop"))
        broker.change(.remove, index: "shop", number: 4)
        broker.decide(.tick, after: 1)
        for order in broker.removals(1) { broker.removed(order, by: 1, after: 1) }
        #expect(broker.core.state.names.removed.isEmpty)
        // Its answers are forgotten.
        var other = BrokerHarness(shards: 2, state: broker.core.state)
        other.connect("w", 1, .worker)
        other.connect("c", 2)
        other.change(.create, index: "shop", number: 3)
        let index = try #require(other.core.state.index(named: "shop"))
        #expect(index.identity != former.identity)
        other.change(.create, index: "shop", number: 3)
        #expect(other.indexRefusal == nil && other.core.state.indexes == [index])
    }

    @Test("A request that comes again, while it waits or later, is answered and makes nothing more")
    func repeats() throws {
        var broker = broker()
        broker.writesAtOnce = false
        broker.change(.create, index: "shop", number: 3)
        broker.change(.create, index: "shop", number: 3)
        broker.write()
        broker.host(1, identity: 7)
        broker.write()
        broker.change(.create, index: "shop", number: 3)
        #expect(broker.indexChanges.count == 2 && broker.core.state.indexes.count == 1)
        #expect(broker.indexRefusal == nil)
    }

    @Test(
        "What cannot be made is refused with a reason",
        arguments: [
            ("No Good", 0, 0, ErrorCode.invalidArgument, "1 to 64"),
            ("", 0, 0, .invalidArgument, "1 to 64"),
            ("../etc", 0, 0, .invalidArgument, "1 to 64"),
            ("shop", 0, 0, .indexExists, "there is an index shop"),
            ("other-name", 0, 0, .indexExists, "is an alias of index shop"),
            ("new", 1025, 0, .invalidArgument, "1 to 1024"),
            ("new", 0, 4, .invalidArgument, "1 to 3"),
            ("new", 0, 2, .tooFewWorkers, "2 copies"),
        ] as [(String, UInt32, UInt32, ErrorCode, String)])
    func refuses(
        name: String, shards: UInt32, replicas: UInt32, code: ErrorCode, text: String
    ) throws {
        var broker = broker()
        broker.change(.create, index: "shop", number: 3)
        broker.change(.setAlias, index: "shop", alias: "other-name", number: 4)
        let version = broker.core.state.version
        broker.change(.create, index: name, number: 5) {
            $0.shardCount = shards
            $0.replication = replicas
        }
        let refusal = try #require(broker.indexRefusal)
        #expect(refusal.code == code.number && refusal.message.contains(text), "\(refusal.message)")
        #expect(broker.core.state.version == version)
    }

    @Test("An alias leads reads and writes to its index, and changes over in one step")
    func aliases() throws {
        var broker = broker()
        for (number, name) in ["a", "b"].enumerated() {
            broker.change(.create, index: name, number: UInt64(number) + 3)
        }
        broker.host(1, identity: 7)
        broker.change(.setAlias, index: "a", alias: "items", number: 5)
        #expect(broker.indexesChanged?.former == "")
        try broker.put(2, batch: 1)
        #expect(broker.takeParts(1).allSatisfy { $0.partIndex == "a" })
        #expect(broker.core.state.indexes.map(\.name) == ["a", "b"], "no index of that name")
        broker.change(.setAlias, index: "b", alias: "items", number: 6)
        #expect(broker.indexesChanged?.former == "a")
        try broker.put(2, batch: 2)
        let parts = broker.takeParts(1)
        #expect(!parts.isEmpty && parts.allSatisfy { $0.partIndex == "b" })
        var asked = search()
        asked.indexes = ["items", "b"]
        broker.receive(.query(asked), request(8), from: address(2))
        let query = broker.messages(to: address(1, .worker)).last { $0.verb == .subquery }
        guard case .subquery(let subquery)? = query?.command else {
            Issue.record("nobody was asked: \(broker.verbs(1, .worker).suffix(5))")
            return
        }
        #expect(Set(subquery.targets.map(\.index)) == ["b"])
        #expect(Set(subquery.targets.map(\.shard)) == [0, 1] && subquery.targets.count == 2)
        broker.change(.removeAlias, alias: "items", number: 9)
        #expect(broker.indexesChanged?.former == "b")
        broker.receive(.query(asked), request(10), from: address(2))
        guard case .error(let failure)? = broker.last(address(2))?.command else {
            Issue.record("the name leads nowhere")
            return
        }
        #expect(failure.code == ErrorCode.unknownIndex.number)
    }

    @Test(
        "An alias of an alias, of nothing, or with the name of an index is refused",
        arguments: [
            ("name", "alias", ErrorCode.invalidArgument, "name its index, shop"),
            ("name", "shap", .unknownIndex, "did you mean \"shop\""),
            ("shop", "shop", .indexExists, "there is an index shop"),
            ("other", "shop", .indexExists, "there is an index other"),
            ("No Good", "shop", .invalidArgument, "alias name"),
        ] as [(String, String, ErrorCode, String)])
    func refusesAlias(name: String, target: String, code: ErrorCode, text: String) throws {
        var broker = broker()
        broker.change(.create, index: "shop", number: 3)
        broker.change(.create, index: "other", number: 4)
        broker.change(.setAlias, index: "shop", alias: "alias", number: 5)
        broker.change(.setAlias, index: target, alias: name, number: 6)
        let refusal = try #require(broker.indexRefusal)
        #expect(refusal.code == code.number && refusal.message.contains(text), "\(refusal.message)")
        broker.change(.removeAlias, alias: "alia", number: 7)
        let other = try #require(broker.indexRefusal)
        #expect(other.message.contains("did you mean \"alias\""), "\(other.message)")
    }

    @Test("An index that could not be made durable is gone when its maker is told so")
    func fullDisk() throws {
        var broker = broker()
        broker.writesAtOnce = false
        broker.change(.create, index: "shop", number: 3)
        refuseToWrite(&broker, for: 12)
        #expect(broker.indexRefusal?.code == ErrorCode.diskFull.number)
        #expect(broker.core.state.indexes.isEmpty && broker.core.state.names.removed.isEmpty)
        broker.write()
        #expect(broker.indexesChanged == nil)
        #expect(!broker.verbs(1, .worker).contains(.dropReplica), "no worker has heard of it")
    }

    @Test("A change that waits for a full disk is told so, and asked again it is the same change")
    func waiting() throws {
        var broker = broker()
        broker.change(.create, index: "shop", number: 3)
        broker.writesAtOnce = false
        broker.change(.setAlias, index: "shop", alias: "store", number: 4)
        refuseToWrite(&broker, for: 12)
        let refusal = try #require(broker.indexRefusal)
        #expect(refusal.code == ErrorCode.diskFull.number)
        #expect(refusal.message.contains("can write again"), "\(refusal.message)")
        broker.change(.setAlias, index: "shop", alias: "store", number: 5, after: 12)
        broker.write()
        #expect(broker.indexesChanged?.index == "shop")
        #expect(broker.core.state.names.index(of: "store") == "shop")
    }

    private func refuseToWrite(_ broker: inout BrokerHarness, for seconds: Double) {
        for second in stride(from: 0, to: seconds, by: 0.5) {
            broker.refuseToWrite(after: second)
            broker.decide(.tick, after: second)
        }
    }
}

extension Message {
    /// The index of a PUT_PART.
    var partIndex: String? {
        if case .putPart(let put) = command { put.index } else { nil }
    }
}

extension BrokerHarness {
    /// Client 2 has indexes or aliases changed.
    mutating func change(
        _ action: WireIndexAction, index: String = "", alias: String = "", number: UInt64,
        after seconds: Double = 0, _ fill: (inout WireChangeIndexes) -> Void = { _ in }
    ) {
        var change = WireChangeIndexes()
        change.action = action
        change.index = index
        change.alias = alias
        fill(&change)
        receive(.changeIndexes(change), request(number), from: address(2), after: seconds)
    }

    /// The answers that client 2 got.
    var indexChanges: [WireIndexesChanged] {
        messages(to: address(2)).compactMap {
            if case .indexesChanged(let reply) = $0.command { reply } else { nil }
        }
    }

    var indexesChanged: WireIndexesChanged? { indexChanges.last }

    /// The newest refusal of client 2.
    var indexRefusal: WireFailure? {
        for message in messages(to: address(2)).reversed() {
            switch message.command {
            case .error(let failure), .busy(let failure): return failure
            default: continue
            }
        }
        return nil
    }

    /// The orders to remove that worker `number` got.
    func removals(_ number: UInt8) -> [WireDropReplica] {
        messages(to: address(number, .worker)).compactMap {
            if case .dropReplica(let order) = $0.command { order } else { nil }
        }
    }

    /// Worker `number` has carried out an order to remove.
    mutating func removed(
        _ order: WireDropReplica, by number: UInt8, failure: WireFailure? = nil,
        after seconds: Double = 0
    ) {
        var state = WireReplicaState()
        state.index = order.index
        state.shard = order.shard
        state.epoch = order.epoch
        state.phase = failure == nil ? .dropped : .failed
        if let failure { state.failure = failure }
        receive(.replicaState(state), from: address(number, .worker), after: seconds)
    }
}
