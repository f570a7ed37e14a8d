import FresnelCluster
import FresnelIndex
import FresnelModel
import FresnelSystem
import FresnelWire
import ZeroMQ

/// The search threads.
///
/// A task stays on the thread it was given to, where its hits lie.
///
/// Used from the worker's loop only; the threads hear of a cancel through `SearchControl`.
struct SearchPool {
    private struct Assignment {
        let thread: Int
        let control: SearchControl
    }

    private let threads: [EventLoop<SearchHandler>]
    private let time: any TimeSource
    private var assignments: [TaskID: Assignment] = [:]
    private var load: [Int]

    init(_ threads: [EventLoop<SearchHandler>], time: any TimeSource) {
        self.threads = threads
        self.time = time
        load = Array(repeating: 0, count: threads.count)
    }

    /// Carries out an effect that concerns searching; false when a thread's queue is full.
    mutating func perform(_ effect: WorkerEffect) -> Bool {
        switch effect {
        case .match(let id, let subquery, let until):
            let (thread, control) = assign(id, until)
            return thread.post(
                .match(id, subquery, control, queuedAt: time.monotonicNanoseconds()))
        case .count(let id, let subquery, let until):
            let (thread, control) = assign(id, until)
            return thread.post(.count(id, subquery, control))
        case .produce(let id, let items, let bytes):
            guard let assignment = assignments[id] else { return true }
            return threads[assignment.thread].post(
                .produce(id, maximumItems: items, maximumBytes: bytes))
        case .narrow(let id, let key):
            assignments[id]?.control.narrow(to: key)
            return true
        case .cancel(let id):
            assignments[id]?.control.cancel()
            return true
        case .forget(let id, let isHeld):
            guard let assignment = assignments.removeValue(forKey: id) else { return true }
            load[assignment.thread] -= 1
            assignment.control.cancel()
            return !isHeld || threads[assignment.thread].post(.forget(id))
        case .send, .connectData, .host, .ingest, .transfer, .retire, .log:
            preconditionFailure("\(effect) is not the search threads' business")
        }
    }

    /// Gives the task to the thread with the fewest.
    private mutating func assign(
        _ id: TaskID, _ until: Instant
    ) -> (EventLoop<SearchHandler>, SearchControl) {
        var thread = 0
        for candidate in load.indices where load[candidate] < load[thread] { thread = candidate }
        let control = SearchControl(deadline: until, time: time)
        assignments[id] = Assignment(thread: thread, control: control)
        load[thread] += 1
        return (threads[thread], control)
    }
}
