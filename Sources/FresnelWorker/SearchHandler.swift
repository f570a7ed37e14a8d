import FresnelCluster
import FresnelIndex
import FresnelModel
import FresnelSystem
import FresnelWire
import ZeroMQ

/// One search thread: matches, counts and encodes hit batches for the tasks given to it.
final class SearchHandler: LoopHandler {
    /// What the worker's loop asks for; `queuedAt` is the monotonic clock in nanoseconds.
    enum Mail: Sendable {
        case match(TaskID, WireSubquery, SearchControl, queuedAt: Int64)
        case count(TaskID, WireSubquery, SearchControl)
        case produce(TaskID, maximumItems: Int, maximumBytes: Int)
        case forget(TaskID)
    }

    private let table: ReplicaTable
    private let environment: Environment
    private let report: @Sendable (WorkerEvent) -> Void
    private var streams: [TaskID: HitStream] = [:]

    init(
        table: ReplicaTable, environment: Environment,
        report: @escaping @Sendable (WorkerEvent) -> Void
    ) {
        self.table = table
        self.environment = environment
        self.report = report
    }

    func receive(_ reception: Reception, on socket: SocketID) {}

    func receive(_ mail: Mail) {
        switch mail {
        case .match(let id, let subquery, let control, let queuedAt):
            match(id, subquery, control, queuedAt)
        case .count(let id, let subquery, let control):
            count(id, subquery, control)
        case .produce(let id, let items, let bytes):
            produce(id, items, bytes)
        case .forget(let id):
            streams[id] = nil
        }
    }

    func finishTurn() -> Duration? { nil }

    func stop() {}

    private func match(
        _ id: TaskID, _ subquery: WireSubquery, _ control: SearchControl, _ queuedAt: Int64
    ) {
        let waited = environment.time.monotonicNanoseconds() - queuedAt
        do {
            let search = try ShardSearch(subquery, environment: environment)
            let stream = try search.match(targets(of: subquery), control: control)
            streams[id] = stream
            var reports = stream.reports
            for number in reports.indices { reports[number].queueUs = UInt64(max(0, waited) / 1000) }
            report(.matched(id, MatchOutcome(reports: reports, available: stream.available)))
        } catch {
            report(.searchFailed(id, reason: "\(error)"))
        }
    }

    private func count(_ id: TaskID, _ subquery: WireSubquery, _ control: SearchControl) {
        do {
            let search = try ShardSearch(subquery, environment: environment)
            report(.counted(id, try search.statistics(of: targets(of: subquery), control: control)))
        } catch {
            report(.searchFailed(id, reason: "\(error)"))
        }
    }

    private func produce(_ id: TaskID, _ items: Int, _ bytes: Int) {
        guard let stream = streams[id] else { return }
        let before = environment.time.monotonicNanoseconds()
        do {
            let batch = try stream.nextBatch(maximumItems: items, maximumBytes: bytes)
            let took = environment.time.monotonicNanoseconds() - before
            report(
                .produced(
                    id,
                    ProducedBatch(
                        payload: batch.payload, items: batch.items, isLast: batch.isLast,
                        fetchMicroseconds: UInt64(max(0, took) / 1000))))
        } catch {
            streams[id] = nil
            report(.searchFailed(id, reason: "\(error)"))
        }
    }

    private func targets(of subquery: WireSubquery) -> [ShardSearch.Target] {
        subquery.targets.map { target in
            let key = ShardKey(index: target.index, shard: ShardID(target.shard))
            return ShardSearch.Target(
                index: target.index, shard: key.shard, replica: table[key],
                sequence: SequenceNumber(target.snapshot))
        }
    }
}
