import FresnelClient
import FresnelModel
import Synchronization
import UnixSignals

/// Hears Ctrl-C and SIGTERM during an import: the first stops it behind what is on its way, the
/// second ends the process.
final class ImportInterrupt: Sendable {
    private struct State {
        var isRequested = false
        /// Whether the source is being read just now, and how often it was.
        var isReading = false
        var reads = 0
        var progress = ImportProgress()
    }

    private let state = Mutex(State())
    private let totals: ImportTotals

    /// A read that lasts longer waits for somebody who types, or for a pipe.
    private static let readPatience = Duration.milliseconds(300)

    init(_ totals: ImportTotals) {
        self.totals = totals
    }

    /// Whether the import shall stop.
    var isRequested: Bool { state.withLock(\.isRequested) }

    /// How far the import was last seen to be.
    var progress: ImportProgress {
        get { state.withLock(\.progress) }
        set { state.withLock { $0.progress = newValue } }
    }

    /// Reads from a source: a read that lasts does not keep the process from ending.
    func reading<Record: Sendable>(
        _ read: () throws(SearchError) -> Record?
    ) throws(SearchError) -> Record? {
        state.withLock { state in
            state.isReading = true
            state.reads += 1
        }
        defer { state.withLock { $0.isReading = false } }
        return try read()
    }

    /// Runs `body`, hearing signals until it returns.
    func during<Answer>(_ body: () async throws -> Answer) async throws -> Answer {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await self.listen() }
            let answer = try await body()
            group.cancelAll()
            return answer
        }
    }

    /// How to go on.
    static func advice(forStandardInput isStandardInput: Bool) -> String {
        guard isStandardInput else {
            return "interrupted; run the same command again to go on from there"
        }
        return "interrupted; index the standard input again from its beginning: "
            + "what is there already changes nothing"
    }

    private func listen() async {
        var isFirst = true
        for await _ in await UnixSignalsSequence(trapping: .sigint, .sigterm) {
            if !isFirst { end() }
            isFirst = false
            let reads = state.withLock { state in
                state.isRequested = true
                return state.isReading ? state.reads : nil
            }
            guard let reads else { continue }
            // A read of a terminal or a pipe ends when its other side wants. A cancelled pause
            // means that the import is over.
            guard (try? await Task.sleep(for: Self.readPatience)) != nil else { return }
            if state.withLock({ $0.isReading && $0.reads == reads }) { end() }
        }
    }

    private func end() -> Never {
        // Without waiting nobody knows more: what was on its way may be there as well.
        totals.say(progress, as: .interrupted)
        Streams.complain(Self.advice(forStandardInput: true))
        ExitStatus.failed.end()
    }
}
