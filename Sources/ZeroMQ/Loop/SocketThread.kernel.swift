// One thread that owns sockets and on which actors can be pinned: an actor that returns
// `thread.asUnownedSerialExecutor()` from `unownedExecutor` runs there and nowhere else, so the
// compiler's isolation check is ZeroMQ's rule of one thread per socket.
//
// The thread runs its body, a loop that waits for sockets and calls `runJobs` each turn. When the
// body is over the thread stays for actors that still have callers, and ends when nobody refers to
// the `SocketThread` any more. It holds only the `Core`, so it does not keep itself alive.

import Synchronization

/// A thread that owns sockets and runs the jobs of the actors pinned to it.
package final class SocketThread: SerialExecutor {
    private let core: Core
    private let ended = Completion<Result<Void, ZeroMQError>>()

    /// A job that must run once; its actor, or the scope of its task, keeps the executor alive
    /// until then.
    @safe
    fileprivate enum WaitingJob {
        case ofActor(UnownedJob, UnownedSerialExecutor)
        case ofTask(UnownedJob, UnownedTaskExecutor)

        func run() {
            switch self {
            case .ofActor(let job, let executor): unsafe job.runSynchronously(on: executor)
            case .ofTask(let job, let executor): unsafe job.runSynchronously(on: executor)
            }
        }
    }

    /// What the thread itself holds and shares with the outside.
    final class Core: Sendable {
        fileprivate struct State {
            var jobs: [WaitingJob] = []
            var isStopping = false
            var isReleased = false
        }

        let wakeUp: WakeUp
        fileprivate let state = Guarded(State())
        fileprivate let threadNumber = Atomic<UInt>(0)

        fileprivate init(_ wakeUp: WakeUp) {
            self.wakeUp = wakeUp
        }

        /// Whether the body should return.
        var isStopping: Bool { state.withLock { $0.isStopping } }

        /// Runs the jobs that wait now, and not those that these add.
        ///
        /// - Returns: whether there were any.
        @discardableResult
        func runJobs() -> Bool {
            let jobs = state.withLock { state in
                var taken: [WaitingJob] = []
                swap(&taken, &state.jobs)
                return taken
            }
            for job in jobs { job.run() }
            return !jobs.isEmpty
        }

        fileprivate func add(_ job: WaitingJob) {
            let wasEmpty = state.withLock { state in
                state.jobs.append(job)
                return state.jobs.count == 1
            }
            if wasEmpty { wakeUp.signal() }
        }

        /// After the body: serves actors until the last reference to the thread is gone.
        fileprivate func linger() {
            while true {
                wakeUp.clear()
                runJobs()
                let isOver = state.withLock { $0.isReleased && $0.jobs.isEmpty }
                if isOver { return }
                wakeUp.wait()
            }
        }
    }

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - name: shown by `top`, cut to 15 bytes.
    ///   - wakeUp: what the body waits for.
    ///   - body: returns soon after `isStopping` is true; `wakeUp` is signalled for that.
    init(
        named name: String, wakeUp: WakeUp,
        _ body: @escaping @Sendable (Core) throws(ZeroMQError) -> Void
    ) throws(ZeroMQError) {
        let core = Core(wakeUp)
        let ended = ended
        self.core = core
        try Thread.start(named: name) {
            Thread.nameCurrent(name)
            core.threadNumber.store(Thread.current, ordering: .releasing)
            wakeUp.belongsToCurrentThread()
            do throws(ZeroMQError) {
                try body(core)
                ended.finish(.success(()))
            } catch {
                ended.finish(.failure(error))
            }
            core.linger()
        }
    }

    deinit {
        core.state.withLock {
            $0.isStopping = true
            $0.isReleased = true
        }
        core.wakeUp.signal()
    }

    /// Asks the thread to stop after its current turn.
    package func requestStop() {
        core.state.withLock { $0.isStopping = true }
        core.wakeUp.signal()
    }

    /// Waits until the sockets are closed; throws what ended the loop if it was no stop.
    package func waitUntilEnded() async throws(ZeroMQError) {
        try await ended.value().get()
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        core.add(unsafe .ofActor(UnownedJob(job), asUnownedSerialExecutor()))
    }

    /// Adds a job of a task that prefers the thread.
    fileprivate func enqueue(_ job: consuming ExecutorJob, of executor: UnownedTaskExecutor) {
        core.add(unsafe .ofTask(UnownedJob(job), executor))
    }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        unsafe UnownedSerialExecutor(ordinary: self)
    }

    /// Whether the caller is on this thread.
    package var isCurrent: Bool {
        core.threadNumber.load(ordering: .acquiring) == Thread.current
    }

    package func isIsolatingCurrentContext() -> Bool? { isCurrent }

    package func checkIsolated() {
        precondition(isCurrent, "code of a socket thread runs on another thread")
    }
}

/// Runs tasks on a socket thread, beside its sockets: whoever waits for what arrives there goes on
/// without another thread being woken (Swift Evolution 0417).
package final class SocketThreadTasks: TaskExecutor {
    /// Kept, so that the thread runs the last job.
    private let thread: SocketThread

    package init(_ thread: SocketThread) {
        self.thread = thread
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        unsafe thread.enqueue(job, of: asUnownedTaskExecutor())
    }

    package func asUnownedTaskExecutor() -> UnownedTaskExecutor {
        unsafe UnownedTaskExecutor(ordinary: self)
    }
}
