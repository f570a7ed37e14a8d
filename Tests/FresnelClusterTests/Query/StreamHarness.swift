import FresnelModel
import FresnelQuery
import FresnelWire

@testable import FresnelCluster

/// A query stream with what it sent, as its client and its workers would see it.
struct StreamHarness {
    var stream: QueryStream
    private(set) var toClient: [Message] = []
    private(set) var toWorkers: [(worker: WorkerID, message: Message)] = []
    /// Hits that each part has sent.
    private var sent: [Int: UInt64] = [:]

    /// Two workers: a holds shards 0 and 1, b holds shard 2.
    init(
        _ search: WireSearch, shards: [SearchableShard]? = nil, budget: Duration = .seconds(10)
    ) throws {
        let shards = shards ?? part(of: "a", shards: [0, 1]) + part(of: "b", shards: [2])
        let plan = try QueryPlan(search, shards: shards, schema: AttributeSchema(), at: moment())
        stream = QueryStream(
            plan, request: request(1), workerID: RequestID(high: 0, low: 1), at: start,
            deadline: start + budget)
        take(stream.begin(at: start))
    }

    mutating func take(_ actions: [QueryStream.Action]) {
        for action in actions {
            switch action {
            case .toClient(let message): toClient.append(message)
            case .toWorker(let worker, let message): toWorkers.append((worker, message))
            }
        }
    }

    mutating func receive(
        _ command: Command, part: Int, sequence: UInt64 = 0, payload: [UInt8]? = nil,
        after seconds: Double = 1, _ replicas: QueryStream.Replicas = { _ in [] }
    ) {
        var envelope = Envelope(id: stream.workerID, part: UInt32(part))
        envelope.sequence = sequence
        take(
            stream.receive(
                Message(envelope, command, payload: payload), part: part, at: at(seconds),
                replicas))
    }

    mutating func find(
        _ names: [String], part: Int, sequence: UInt64 = 0, counted: [WireShardReport] = [],
        bound: String = ""
    ) {
        var found = WireFound()
        found.shards = counted
        found.boundBytes = Array(bound.utf8)
        found.items = UInt64(names.count)
        sent[part, default: 0] += found.items
        receive(.found(found), part: part, sequence: sequence, payload: hitBatch(names))
    }

    /// Reports a part; where no report counts hits, the first counts what was sent.
    mutating func finish(part: Int, _ reports: [WireShardReport]) {
        var done = WirePartDone()
        done.shards = reports
        if !reports.isEmpty, reports.allSatisfy({ $0.found == 0 }) {
            done.shards[0].found = sent[part] ?? 0
        }
        receive(.partDone(done), part: part)
    }

    /// The whole of both parts.
    mutating func finishAll() {
        finish(part: 0, [report(0), report(1)])
        finish(part: 1, [report(2)])
    }

    /// The keys of every hit that the client was sent, in order.
    var delivered: [String] {
        get throws { try toClient.compactMap(\.payload).flatMap { try keys($0) } }
    }

    var completions: [WireDone] {
        toClient.compactMap { message in
            if case .done(let done) = message.command { done } else { nil }
        }
    }

    func commands(to worker: String) -> [Command] {
        toWorkers.filter { $0.worker.name == worker }.map(\.message.command)
    }

    /// The thresholds that a worker was told, in order.
    func thresholds(of worker: String) -> [String] {
        commands(to: worker).compactMap { command in
            guard case .credit(let credit) = command, !credit.thresholdBytes.isEmpty else {
                return nil
            }
            return String(decoding: credit.thresholdBytes, as: UTF8.self)
        }
    }

    var statuses: [WireShardStatus] { completions.first?.shards.map(\.status) ?? [] }
}
