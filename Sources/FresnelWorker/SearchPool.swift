import FresnelCluster
import FresnelIndex
import FresnelModel
import FresnelSystem
import FresnelWire
import ZeroMQ

/// The search threads.
///
/// A task stays on the thread it was given to, where its hits lie. What is surely light is answered
/// at once by the worker's loop: handing it to a thread and back costs more than its search.
///
/// Used from the worker's loop only; the threads hear of a cancel through `SearchControl`.
struct SearchPool {
    private struct Assignment {
        /// Nil is the loop itself.
        let thread: Int?
        let control: SearchControl
        /// To remember what it cost.
        let search: SearchCosts.Search?
    }

    private let threads: [EventLoop<SearchHandler>]
    private let time: any TimeSource
    private let local: LocalSearch
    private var assignments: [TaskID: Assignment] = [:]
    private var load: [Int]
    private var costs = SearchCosts()

    init(_ threads: [EventLoop<SearchHandler>], time: any TimeSource, local: LocalSearch) {
        self.threads = threads
        self.time = time
        self.local = local
        load = Array(repeating: 0, count: threads.count)
    }

    /// What the loop itself found since it was last asked; to be decided upon like any report.
    func takeReports() -> [WorkerEvent] { local.takeReports() }

    /// Learns from a report what its search cost.
    mutating func note(_ event: WorkerEvent) {
        guard case .matched(let id, let outcome) = event,
            let search = assignments[id]?.search
        else { return }
        costs.note(outcome, of: search)
    }

    /// Carries out an effect that concerns searching; false when a thread's queue is full.
    mutating func perform(_ effect: WorkerEffect) -> Bool {
        switch effect {
        case .match(let id, let subquery, let until):
            return match(id, subquery, until)
        case .count(let id, let subquery, let until):
            let (thread, control) = assign(id, until)
            return thread.post(.count(id, subquery, control))
        case .produce(let id, let items, let bytes):
            guard let assignment = assignments[id] else { return true }
            return post(
                .produce(id, maximumItems: items, maximumBytes: bytes), to: assignment.thread)
        case .narrow(let id, let key):
            assignments[id]?.control.narrow(to: key)
            return true
        case .cancel(let id):
            assignments[id]?.control.cancel()
            return true
        case .forget(let id, let isHeld):
            guard let assignment = assignments.removeValue(forKey: id) else { return true }
            if let thread = assignment.thread { load[thread] -= 1 }
            assignment.control.cancel()
            return !isHeld || post(.forget(id), to: assignment.thread)
        case .send, .connectData, .host, .ingest, .transfer, .check, .store, .sweepRestored,
            .drop, .brokerTime, .survey, .join, .log:
            preconditionFailure("\(effect) is not the search threads' business")
        }
    }

    private mutating func match(
        _ id: TaskID, _ subquery: WireSubquery, _ until: Instant
    ) -> Bool {
        let search = SearchCosts.Search(subquery)
        let queuedAt = time.monotonicNanoseconds()
        guard let search, subquery.isLight || costs.isLight(search) else {
            let (thread, control) = assign(id, until, search)
            return thread.post(.match(id, subquery, control, queuedAt: queuedAt))
        }
        let control = SearchControl(deadline: until, time: time)
        assignments[id] = Assignment(thread: nil, control: control, search: search)
        local.take(.match(id, subquery, control, queuedAt: queuedAt))
        return true
    }

    private func post(_ mail: SearchHandler.Mail, to thread: Int?) -> Bool {
        guard let thread else {
            local.take(mail)
            return true
        }
        return threads[thread].post(mail)
    }

    /// Gives the task to the thread with the fewest.
    private mutating func assign(
        _ id: TaskID, _ until: Instant, _ search: SearchCosts.Search? = nil
    ) -> (EventLoop<SearchHandler>, SearchControl) {
        var thread = 0
        for candidate in load.indices where load[candidate] < load[thread] { thread = candidate }
        // Sockets must not wait for a search that computes for long.
        let control = SearchControl(deadline: until, time: YieldingTime(time))
        assignments[id] = Assignment(thread: thread, control: control, search: search)
        load[thread] += 1
        return (threads[thread], control)
    }
}
