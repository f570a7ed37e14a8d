// A turn: wait for sockets, a signal or the handler's next timer; take at most `messagesPerTurn`
// from each readable socket, so that a loud peer on one does not silence another; hand over the
// mail; run the jobs of pinned actors and of tasks that prefer the thread, and hand over the mail
// of these; let the handler finish the turn. A socket with more to give is still readable, so the
// next wait returns at once.

/// A thread that serves sockets through a handler of its own.
package final class EventLoop<Handler: LoopHandler>: Sendable {
    /// The thread, for pinning actors to it.
    package let thread: SocketThread
    private let mailbox: Mailbox<Handler.Mail>

    private init(thread: SocketThread, mailbox: Mailbox<Handler.Mail>) {
        self.thread = thread
        self.mailbox = mailbox
    }

    /// How a thread shares busy processors with others.
    package enum Pace: Hashable, Sendable {
        /// It serves sockets: short turns, which come sooner while others compute.
        case prompt
        /// It computes for milliseconds on end, and somebody waits for it.
        case steady
        /// It computes on end, and whoever waits for it can wait a little: `steady` threads and
        /// those of sockets go first.
        case yielding
        /// It computes for longer, and nobody waits for it: all others go first.
        case patient
    }

    /// How a loop shares its time and memory.
    package struct Settings: Sendable {
        /// Of the thread, as `top` shows it; 15 bytes.
        package var name: String
        /// The most mail that may wait.
        package var mailboxCapacity = 1_024
        /// The most messages from one socket before the others get their turn.
        package var messagesPerTurn = 64
        /// How the thread shares busy processors with others.
        package var pace = Pace.prompt
        /// Of a thread that looks for more after the last news; nil sleeps at once.
        package var alertness: Alertness?

        package init(name: String) {
            self.name = name
        }
    }

    /// Starts a thread, makes the handler there, and returns when it is made.
    ///
    /// - Parameters:
    ///   - settings: name and limits.
    ///   - makeHandler: opens the sockets, adds them to the poller and keeps it for sending.
    /// - Throws: what `makeHandler` throws; the thread has ended then.
    package static func start(
        _ settings: Settings,
        makeHandler: @escaping @Sendable (Poller) throws(ZeroMQError) -> Handler
    ) async throws(ZeroMQError) -> EventLoop {
        let wakeUp = try WakeUp()
        let mailbox = Mailbox<Handler.Mail>(capacity: settings.mailboxCapacity, wakeUp: wakeUp)
        let started = Completion<Result<Void, ZeroMQError>>()
        let thread = try SocketThread(
            named: settings.name, wakeUp: wakeUp
        ) { (core) throws(ZeroMQError) in
            defer { mailbox.close() }
            switch settings.pace {
            case .prompt: Thread.takeShortTurns()
            case .steady: break
            case .yielding: Thread.yieldCurrent(niceness: 5)
            case .patient: Thread.yieldCurrent(niceness: 10)
            }
            let poller: Poller
            let handler: Handler
            do throws(ZeroMQError) {
                poller = try Poller(wakeUp: wakeUp, alertness: settings.alertness)
                handler = try makeHandler(poller)
            } catch {
                started.finish(.failure(error))
                throw error
            }
            defer { poller.closeAll() }
            started.finish(.success(()))
            let turns = LoopTurns(
                handler: handler, poller: poller, mailbox: mailbox,
                messagesPerTurn: settings.messagesPerTurn)
            try turns.run(on: core)
        }
        try await started.value().get()
        return EventLoop(thread: thread, mailbox: mailbox)
    }

    /// Hands something to the handler; false when the mailbox is full or the loop has ended.
    package func post(_ mail: Handler.Mail) -> Bool { mailbox.post(mail) }

    /// Asks the loop to stop after the current turn; returns at once.
    package func requestStop() { thread.requestStop() }

    /// Stops the loop and waits until its sockets are closed.
    ///
    /// The I/O thread gives their ports back moments later.
    package func stop() async throws(ZeroMQError) {
        thread.requestStop()
        try await thread.waitUntilEnded()
    }

    /// Waits until the loop has ended; throws what ended it if it was no stop.
    package func waitUntilEnded() async throws(ZeroMQError) {
        try await thread.waitUntilEnded()
    }
}
