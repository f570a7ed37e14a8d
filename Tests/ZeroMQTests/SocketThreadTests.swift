import Testing
import ZeroMQ

/// Owns a socket; the compiler lets nobody else touch it.
private actor Owner: PinnedActor {
    nonisolated let thread: SocketThread
    private var socket: Socket?
    private(set) var mailed = 0

    init(thread: SocketThread) {
        self.thread = thread
    }

    func open(in context: Context) throws(ZeroMQError) {
        let socket = try Socket(.quiet(.router), in: context)
        try socket.bind(anyPort)
        self.socket = consume socket
    }

    func isOnThread() -> Bool { thread.isCurrent }

    func note(_ number: Int) { mailed += number }
}

/// Hands its mail to the pinned actor without a hop.
private final class Bridge: LoopHandler {
    enum Mail: Sendable {
        case owner(Owner)
        case number(Int)
    }

    private var owner: Owner?

    func receive(_ reception: Reception, on socket: SocketID) throws(ZeroMQError) {}

    func receive(_ mail: Mail) throws(ZeroMQError) {
        switch mail {
        case .owner(let owner): self.owner = owner
        case .number(let number): owner?.assumeIsolated { $0.note(number) }
        }
    }

    func finishTurn() throws(ZeroMQError) -> Duration? { nil }

    func stop() throws(ZeroMQError) {}
}

@Suite("Socket threads", .timeLimit(.minutes(1)))
struct SocketThreadTests {
    @Test("An actor pinned to a loop runs on its thread only")
    func pinned() async throws {
        let loop = try await EventLoop<Bridge>.start(.init(name: "pinned")) { _ in Bridge() }
        let owner = Owner(thread: loop.thread)
        try await owner.open(in: try testContext())
        for _ in 0..<200 { #expect(await owner.isOnThread()) }
        #expect(!loop.thread.isCurrent)
        try await loop.stop()
    }

    @Test("A handler enters a pinned actor without a hop, and callers see what it did")
    func assumed() async throws {
        let loop = try await EventLoop<Bridge>.start(.init(name: "assumed")) { _ in Bridge() }
        let owner = Owner(thread: loop.thread)
        #expect(loop.post(.owner(owner)))
        for number in 1...100 { #expect(loop.post(.number(number))) }
        while await owner.mailed < 5_050 { await Task.yield() }
        try await loop.stop()
    }

    @Test("Calls from many tasks at once reach the actor one after the other")
    func manyCallers() async throws {
        let loop = try await EventLoop<Bridge>.start(.init(name: "callers")) { _ in Bridge() }
        let owner = Owner(thread: loop.thread)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask { for _ in 0..<50 { await owner.note(1) } }
            }
        }
        #expect(await owner.mailed == 1_000)
        try await loop.stop()
    }

    @Test("An actor still answers after its loop was stopped")
    func afterStop() async throws {
        let loop = try await EventLoop<Bridge>.start(.init(name: "after")) { _ in Bridge() }
        let owner = Owner(thread: loop.thread)
        try await loop.stop()
        #expect(await owner.isOnThread())
    }

    @Test("A task that prefers the thread runs on it, also behind everything it waits for")
    func tasks() async throws {
        let loop = try await EventLoop<Bridge>.start(.init(name: "tasks")) { _ in Bridge() }
        let owner = Owner(thread: loop.thread)
        await withTaskExecutorPreference(SocketThreadTasks(loop.thread)) {
            #expect(loop.thread.isCurrent)
            for _ in 0..<50 {
                await owner.note(1)
                await Task.yield()
                #expect(loop.thread.isCurrent)
            }
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        #expect(loop.thread.isCurrent)
                        await owner.note(1)
                    }
                }
            }
        }
        #expect(!loop.thread.isCurrent)
        #expect(await owner.mailed == 70)
        try await loop.stop()
    }

    @Test("Mail from the thread to itself arrives, and what it signals to itself ends its wait")
    func ownMail() async throws {
        let loop = try await EventLoop<Bridge>.start(.init(name: "own")) { _ in Bridge() }
        let owner = Owner(thread: loop.thread)
        #expect(loop.post(.owner(owner)))
        // The loop of `Bridge` waits without a limit: a signal that got lost would be for ever.
        await withTaskExecutorPreference(SocketThreadTasks(loop.thread)) {
            for number in 1...200 {
                #expect(loop.post(.number(1)))
                while await owner.mailed < number { await Task.yield() }
            }
        }
        try await loop.stop()
    }

    @Test("A task that prefers the thread of a loop that was stopped runs to its end")
    func tasksAfterStop() async throws {
        let loop = try await EventLoop<Bridge>.start(.init(name: "late")) { _ in Bridge() }
        let owner = Owner(thread: loop.thread)
        try await withTaskExecutorPreference(SocketThreadTasks(loop.thread)) {
            // The thread stops its own loop, and lingers for this task.
            try await loop.stop()
            for _ in 0..<20 {
                await owner.note(1)
                await Task.yield()
            }
            #expect(loop.thread.isCurrent)
        }
        #expect(await owner.mailed == 20)
    }
}
