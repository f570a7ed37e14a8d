@testable import FresnelCluster
import FresnelModel
import FresnelWire

// Small things that many tests need.

let start = Instant(nanoseconds: 1_000_000_000_000)

func at(_ seconds: Double) -> Instant { start + .milliseconds(Int64(seconds * 1000)) }

func moment(_ seconds: Double = 0) -> Moment {
    Moment(instant: at(seconds), wall: Timestamp(wholeSeconds: 1000 + Int64(seconds)))
}

func address(
    _ number: UInt8, _ side: PeerAddress.Side = .client, _ lane: Lane = .control
) -> PeerAddress {
    PeerAddress(side: side, lane: lane, routingID: [number])
}

func hello(_ name: String, _ role: WireRole = .client, boot: UInt64 = 1) -> WireHello {
    var hello = WireHello()
    hello.minimumMajor = 1
    hello.maximumMajor = 1
    hello.role = role
    hello.name = name
    hello.bootID = boot
    return hello
}

func request(_ number: UInt64, attempt: UInt32 = 0, budget: Duration? = nil) -> Envelope {
    var envelope = Envelope(id: RequestID(high: 9, low: number), attempt: attempt)
    envelope.budget = budget
    return envelope
}

func search(
    _ query: String = "rating >= 1", delivery: WireDelivery = .settled, limit: UInt64? = nil,
    credit: UInt64 = 1000
) -> WireSearch {
    var search = WireSearch()
    search.query = query
    search.delivery = delivery
    search.coverage = 1
    search.creditItems = credit
    search.creditBytes = 1 << 24
    if let limit { search.limit = limit }
    var key = WireSortKey()
    key.attribute = "rating"
    if query.hasPrefix("rating") { search.sort = [key] }
    return search
}

/// A hit batch of these keys; every body is the key again.
func hitBatch(_ keys: [String]) -> [UInt8] {
    var writer = HitBatchWriter()
    for key in keys { writer.append(key: Array(key.utf8), body: Array(key.utf8)) }
    return writer.bytes()
}

/// The keys of a hit batch.
func keys(_ payload: [UInt8]) throws -> [String] {
    let batch = try HitBatchReader(payload)
    return (0..<batch.count).map { String(decoding: batch.key($0), as: UTF8.self) }
}

func part(of name: String, shards: [UInt32]) -> [SearchableShard] {
    shards.map { shard in
        SearchableShard(
            index: "items", shard: ShardID(shard), worker: name.isEmpty ? nil : WorkerID(name),
            snapshot: SequenceNumber(7), documents: 10)
    }
}

func report(
    _ shard: UInt32, _ status: WireShardStatus = .complete, found: UInt64 = 0
) -> WireShardReport {
    var report = WireShardReport()
    report.index = "items"
    report.shard = shard
    report.status = status
    report.searched = status == .complete ? 10 : 0
    report.owned = 10
    report.found = found
    return report
}

func put(
    batch number: UInt64, _ documents: [String], in index: String = "items", client: UInt64 = 5,
    state: String? = nil, expecting expected: String? = nil
) throws -> (put: WirePut, payload: [UInt8]) {
    var head = WirePut()
    head.index = index
    head.clientLow = client
    head.batchNumber = number
    if let state { head.clientStateBytes = Array(state.utf8) }
    if let expected { head.expectedClientStateBytes = Array(expected.utf8) }
    var builder = PutBuilder(head)
    for identifier in documents {
        _ = try builder.append(.index(Document(uniqueIdentifier: identifier)))
    }
    return (builder.message, builder.payload)
}
