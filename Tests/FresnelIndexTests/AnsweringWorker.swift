import FresnelIndex
import FresnelModel
import FresnelSystem
import FresnelWire
import Synchronization
import Testing

@testable import FresnelCluster
@testable import FresnelWorker

/// A worker's protocol engine and its searching thread, without sockets and without the thread.
final class AnsweringWorker {
    /// What the searching thread reported and the engine has not heard of.
    private final class Reports: Sendable {
        private let waiting = Mutex<[WorkerEvent]>([])

        func append(_ event: WorkerEvent) { waiting.withLock { $0.append(event) } }

        func take() -> [WorkerEvent] {
            waiting.withLock { events in
                defer { events = [] }
                return events
            }
        }
    }

    static let now = Instant(nanoseconds: 1_000_000_000)
    private let time = ManualTime(monotonicNanoseconds: 1_000_000_000)
    private var core: WorkerCore
    private let table = ReplicaTable()
    private let reports = Reports()
    private let handler: SearchHandler
    private var controls: [TaskID: SearchControl] = [:]

    /// - Parameter windowHits: hits that a search keeps in order; few make it look again.
    init(_ name: WorkerID, windowHits: Int) {
        core = WorkerCore(name: name, bootID: 1, software: "test", at: Self.now)
        let environment = Environment(
            time: time, chance: SeededRandom(seed: 1), storage: MemoryStorage())
        let reports = reports
        handler = SearchHandler(
            table: table, environment: environment, windowHits: windowHits, firstItems: 3
        ) { reports.append($0) }
        var welcome = WireWelcome()
        (welcome.incarnation, welcome.sessionToken, welcome.deadAfterMs) = (1, 1, 5000)
        _ = answers(to: Message(Envelope(), .welcome(welcome)))
        _ = answers(to: Message(Envelope(), .joined))
    }

    /// Opens a replica here, or what it became by reopening.
    func host(_ shard: ShardKey, _ replica: ReplicaIndex) { table[shard] = replica }

    /// What the broker is sent after one message of it.
    func answers(to message: Message) -> [Message] {
        var events = [WorkerEvent.received(message, lane: message.lane)]
        var sent: [Message] = []
        while !events.isEmpty {
            for effect in core.decide(events.removeFirst(), at: Self.now) {
                if case .send(let message, _) = effect { sent.append(message) }
                search(effect)
            }
            events += reports.take()
        }
        #expect(handler.heldTasks <= core.tasks.count, "hits are held for tasks that ended")
        return sent
    }

    private func search(_ effect: WorkerEffect) {
        switch effect {
        case .match(let id, let subquery, _):
            handler.receive(.match(id, subquery, control(of: id), queuedAt: 0))
        case .count(let id, let subquery, _):
            handler.receive(.count(id, subquery, control(of: id)))
        case .produce(let id, let items, let bytes):
            handler.receive(.produce(id, maximumItems: min(items, 3), maximumBytes: bytes))
        case .narrow(let id, let key): controls[id]?.narrow(to: key)
        case .cancel(let id): controls[id]?.cancel()
        case .forget(let id, let isHeld):
            controls[id] = nil
            if isHeld { handler.receive(.forget(id)) }
        case .send, .connectData, .host, .ingest, .transfer, .check, .store, .sweepRestored,
            .drop, .brokerTime, .survey, .join, .log:
            break
        }
    }

    private func control(of id: TaskID) -> SearchControl {
        let control = SearchControl(time: time)
        controls[id] = control
        return control
    }
}
