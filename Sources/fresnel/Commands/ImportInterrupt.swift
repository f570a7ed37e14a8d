import FresnelClient
import FresnelModel
import Synchronization
import UnixSignals

/// Hears Ctrl-C and SIGTERM during an import, and notices when it stands still.
///
/// The first signal stops the import behind what is on its way, for which it waits a moment; the
/// second ends the process at once.
final class ImportInterrupt: Sendable {
    private struct State {
        var isRequested = false
        /// Whether the source is being read just now.
        var isReading = false
        /// Whether it is the standard input, which cannot be read again from its middle.
        var readsStandardInput = false
        /// Reads and settled batches: while it stands still and nothing is read, the cluster is
        /// waited for.
        var steps = 0
        var progress = ImportProgress()
    }

    private let state = Mutex(State())
    private let totals: ImportTotals
    /// What the import waits for, as far as it can be told.
    private let obstacle: @Sendable () async -> String

    /// A read that lasts longer waits for somebody who types, or for a pipe.
    private static let readPatience = Duration.milliseconds(300)
    /// What was sent is acknowledged in less where the cluster is whole.
    private static let acknowledgementPatience = Duration.seconds(2)

    init(_ totals: ImportTotals, obstacle: @escaping @Sendable () async -> String) {
        self.totals = totals
        self.obstacle = obstacle
    }

    /// Whether the import shall stop.
    var isRequested: Bool { state.withLock(\.isRequested) }

    /// Takes in how far the import is.
    func note(_ progress: ImportProgress) {
        state.withLock { state in
            state.progress = progress
            state.steps += 1
        }
    }

    /// A source begins.
    func begin(standardInput: Bool) {
        state.withLock { $0.readsStandardInput = standardInput }
    }

    /// Reads from a source: a read that lasts does not keep the process from ending.
    func reading<Record: Sendable>(
        _ read: () throws(SearchError) -> Record?
    ) throws(SearchError) -> Record? {
        state.withLock { state in
            state.isReading = true
            state.steps += 1
        }
        defer { state.withLock { $0.isReading = false } }
        return try read()
    }

    /// Runs `body`, hearing signals until it returns.
    func during<Answer>(_ body: () async throws -> Answer) async throws -> Answer {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await self.listen(to: signals) }
            group.addTask { await self.watch() }
            let answer = try await body()
            group.cancelAll()
            return answer
        }
    }

    /// How to go on.
    var advice: String {
        guard state.withLock(\.readsStandardInput) else {
            return "interrupted; run the same command again to go on from there"
        }
        return "interrupted; index the standard input again from its beginning: "
            + "what is there already changes nothing"
    }

    private func listen(to signals: UnixSignalsSequence) async {
        await withDiscardingTaskGroup { group in
            var isFirst = true
            for await _ in signals {
                if !isFirst { end() }
                isFirst = false
                let steps = state.withLock { state in
                    state.isRequested = true
                    return state.steps
                }
                group.addTask { await self.endIfStuck(since: steps) }
            }
            group.cancelAll()
        }
    }

    /// Ends the process when the import does not end by itself.
    private func endIfStuck(since steps: Int) async {
        // A cancelled pause means that the import is over.
        guard (try? await Task.sleep(for: Self.readPatience)) != nil else { return }
        // A read of a terminal or a pipe ends when its other side wants.
        if state.withLock({ $0.isReading && $0.steps == steps }) { end() }
        // As above.
        guard (try? await Task.sleep(for: Self.acknowledgementPatience)) != nil else { return }
        end()
    }

    private func end() -> Never {
        // Without waiting nobody knows more: what was on its way may be there as well.
        totals.say(state.withLock(\.progress), as: .interrupted)
        Streams.complain(advice)
        ExitStatus.failed.end()
    }

    /// Says what the import waits for, when it does for long.
    private func watch() async {
        var quietSeconds = 0
        var last = 0
        // A cancelled pause means that the import is over.
        while (try? await Task.sleep(for: .seconds(1))) != nil {
            let (steps, isReading) = state.withLock { ($0.steps, $0.isReading) }
            quietSeconds = isReading || steps != last ? 0 : quietSeconds + 1
            last = steps
            guard
                quietSeconds == 3 || quietSeconds == 10
                    || quietSeconds > 0 && quietSeconds % 30 == 0
            else { continue }
            let obstacle = await obstacle()
            ImportDisplay.note(
                "waiting for an acknowledgement since \(quietSeconds) s: \(obstacle)")
        }
    }
}
