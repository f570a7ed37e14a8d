import FresnelLoad
import FresnelSystem
import Synchronization

/// Tells how a load goes while it runs: a screen that is written again on a terminal, one line
/// every five seconds elsewhere.
final class LoadDisplay: Sendable {
    private struct Current {
        var order: LoadOrder?
        var progress: (@Sendable () -> LoadProgress)?
    }

    let isQuiet: Bool
    private let isTerminal = Terminal.isError
    private let current = Mutex(Current())

    init(isQuiet: Bool) {
        self.isQuiet = isQuiet
    }

    /// A measurement begins.
    func begin(_ order: LoadOrder, _ progress: @escaping @Sendable () -> LoadProgress) {
        current.withLock { $0 = Current(order: order, progress: progress) }
    }

    /// Shows how it goes while `body` runs.
    func during<Answer: Sendable>(_ body: () async throws -> Answer) async throws -> Answer {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await self.watch() }
            let answer: Answer
            do {
                answer = try await body()
            } catch {
                group.cancelAll()
                throw error
            }
            current.withLock { $0 = Current() }
            group.cancelAll()
            return answer
        }
    }

    /// Writes until the task is cancelled.
    private func watch() async {
        guard !isQuiet else { return }
        let pause = Duration.seconds(isTerminal ? 1 : 5)
        var written = 0
        while !Task.isCancelled {
            do { try await Task.sleep(for: pause) } catch { break }
            let now = current.withLock { $0 }
            guard let order = now.order, let progress = now.progress?() else { continue }
            let screen = LoadScreen(order, progress)
            guard isTerminal else {
                Streams.complain(screen.line)
                continue
            }
            let lines = screen.lines(columns: Terminal.errorColumns)
            Streams.redraw(lines.map { ShownText.oneLine($0) + "\n" }.joined(), over: written)
            written = lines.count
        }
        if written > 0 { Streams.redraw("", over: written) }
    }
}
