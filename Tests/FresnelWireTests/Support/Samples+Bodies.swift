import FresnelModel
import FresnelWire

extension Samples {
    static func made<Body>(_ body: Body, _ change: (inout Body) -> Void) -> Body {
        var body = body
        change(&body)
        return body
    }

    static let inventory = made(WireShardInventory()) {
        $0.index = "default"
        $0.shard = 3
        $0.epoch = 7
        $0.lastSequence = 41
        $0.documents = 1000
    }
    static let hello = made(WireHello()) {
        $0.minimumMajor = 1
        $0.maximumMajor = 1
        $0.role = .worker
        $0.name = "w1"
        $0.bootID = 0x0102_0304_0506_0708
        $0.software = "fresnel 1"
        $0.shards = [inventory]
    }
    static let welcome = made(WireWelcome()) {
        $0.incarnation = 9
        $0.epoch = 7
        $0.sessionToken = 0xFEED
        $0.dataEndpoint = "tcp://127.0.0.1:7701"
        $0.pingIntervalMs = 1000
        $0.suspectAfterMs = 2500
        $0.deadAfterMs = 5000
        $0.writeCreditBytes = 8 << 20
    }
    static let failure = made(WireFailure()) {
        $0.code = -2002
        $0.message = "unexpected end of the query"
        $0.offset = 7
        $0.expected = "a value"
    }
    static let pulse = made(WirePulse()) {
        $0.incarnation = 9
        $0.progress = 12
        $0.shards = [inventory]
        $0.merges = 3
        $0.mergedBytes = 70_000
    }
    static let join = made(WireJoin()) { $0.sessionToken = 0xFEED }
    static let context = made(WireQueryContext()) {
        $0.now = 785_000_000
        $0.timeZone = "Europe/Berlin"
        $0.firstWeekday = 1
        $0.language = "de"
    }
    static let search = made(WireSearch()) {
        $0.query = "title == \"apfel*\"cd"
        $0.attributes = ["title", "rating"]
        $0.sort = [made(WireSortKey()) { $0.descending = true }]
        $0.limit = 10
        $0.delivery = .settled
        $0.coverage = 1
        $0.context = context
        $0.creditItems = 100
        $0.creditBytes = 1 << 20
    }
    static let statistics = made(WireStatistics()) {
        $0.documents = 1000
        $0.leafDocuments = [12]
    }
    static let subquery = made(WireSubquery()) {
        $0.search = search
        $0.targets = [
            made(WireShardTarget()) {
                $0.index = "default"
                $0.shard = 3
                $0.snapshot = 41
            }
        ]
        $0.statistics = statistics
    }
    static let accepted = made(WireAccepted()) {
        $0.owned = 1000
        $0.warnings = [made(WireWarning()) { $0.message = "unknown attribute colour" }]
    }
    static let found = made(WireFound()) {
        $0.items = 1
        $0.total = 1
    }
    static let changes = made(WireChanges()) {
        $0.round = 2
        $0.items = 1
        $0.reached = made(WireReached()) {
            $0.from = [snapshot(41)]
            $0.to = [snapshot(42)]
            $0.now = 800_000_000
            $0.added = 1
        }
    }
    static func snapshot(_ sequence: UInt64) -> WireIndexSnapshot {
        made(WireIndexSnapshot()) {
            $0.index = "default"
            $0.sequence = sequence
        }
    }
    static let credit = made(WireCredit()) {
        $0.items = 200
        $0.bytes = 2 << 20
    }
    static let report = made(WireShardReport()) {
        $0.index = "default"
        $0.shard = 3
        $0.worker = "w1"
        $0.status = .complete
        $0.searched = 1000
        $0.owned = 1000
        $0.found = 12
        $0.matchUs = 340
    }
    static let partDone = made(WirePartDone()) {
        $0.shards = [report]
        $0.last = found
    }
    static let done = made(WireDone()) {
        $0.status = "complete"
        $0.complete = true
        $0.found = 12
        $0.searched = 1000
        $0.owned = 1000
        $0.delivered = 10
        $0.shards = [report]
        $0.digest = "000102030405060708090a0b0c0d0e0f"
        $0.elapsedUs = 1234
        $0.last = found
    }
}

extension Samples {
    static var batch: PutBuilder {
        var builder = PutBuilder(
            made(WirePut()) {
                $0.index = "default"
                $0.clientHigh = 1
                $0.clientLow = 2
                $0.batchNumber = 4
                $0.clientStateBytes = [0xCA, 0xFE]
            })
        let operations: [BatchOperation] = [
            .index(document), .update(patch), .deleteIdentifier("sku-2"),
            .deleteDomain("store.old"), .deleteQuery("rating < 1"), .deleteAll,
        ]
        for operation in operations { _ = try? builder.append(operation) }
        return builder
    }
    static let putPart = made(WirePutPart()) {
        $0.index = "default"
        $0.shard = 3
        $0.previousSequence = 40
        $0.clientHigh = 1
        $0.clientLow = 2
        $0.batchNumber = 4
        $0.operations = batch.message.operations
        $0.stampedAt = 785_000_000
    }
    static let refusal = made(WireItemResult()) {
        $0.position = 1
        $0.code = -1001
        $0.message = "rating is no number"
    }
    static let partAck = made(WirePartAck()) {
        $0.index = "default"
        $0.shard = 3
        $0.refusals = [refusal]
        $0.deleted = 2
        $0.lastSequence = 42
    }
    static let putAck = made(WirePutAck()) {
        $0.sequence = 42
        $0.applied = 5
        $0.deleted = 2
        $0.refusals = [refusal]
    }
    static let fetchState = made(WireFetchState()) { $0.index = "default" }
    static let clientState = made(WireClientState()) {
        $0.stateBytes = [0xCA, 0xFE]
        $0.sequence = 42
    }
    static let customKey = made(WireCustomKey()) {
        $0.name = "com_example_shelf"
        $0.valueType = UInt32(AttributeType.number.rawValue)
        $0.searchable = true
    }
    static let assign = made(WireAssign()) {
        $0.indexes = [
            made(WireIndexAssignment()) {
                $0.index = "default"
                $0.shardCount = 4
                $0.shards = [0, 3]
                $0.epoch = 7
                $0.identities = [5, 0]
                $0.customKeys = [customKey]
            }
        ]
    }
    static let hosted = made(WireHosted()) { $0.shards = [inventory] }
    static let statusReply = made(WireStatusReply()) {
        $0.software = "fresnel 1"
        $0.epoch = 7
        $0.incarnation = 9
        $0.workers = [made(WireWorkerStatus()) { $0.name = "w1" }]
        $0.uptimeMs = 60_000
    }
}
