import Glibc
import Synchronization
import UnixSignals

/// Queries from the standard input, one a line; asks for them where a person types.
///
/// The terminal edits the line, and forgets it at Ctrl-C by itself: here that only shows the prompt
/// again. While a query runs, `SearchRun` hears the same signals and cancels it.
final class QueryPrompt: Sendable {
    private struct State {
        /// Whether a line is being waited for.
        var isAsking = false
        /// Whether the process was asked to end.
        var isEnding = false
    }

    private static let text = "fresnel> "
    private let state = Mutex(State())

    /// Lends a prompt to `body`; signals are heard until that returns.
    static func with<Answer>(
        _ body: (QueryPrompt) async throws -> Answer
    ) async throws -> Answer {
        let prompt = QueryPrompt()
        guard Terminal.isInput else { return try await body(prompt) }
        // Trapped before a prompt is shown: what is typed at it may be Ctrl-C.
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await prompt.listen(to: signals) }
            let answer = try await body(prompt)
            group.cancelAll()
            return answer
        }
    }

    /// The next query; nil at the end.
    ///
    /// Blank lines and lines that begin with # are passed over.
    func next() -> String? {
        while true {
            let isEnding = state.withLock { state in
                state.isAsking = true
                return state.isEnding
            }
            defer { state.withLock { $0.isAsking = false } }
            if isEnding { return nil }
            if Terminal.isInput { Streams.writeError(Self.text) }
            guard let line = readLine() else {
                if Terminal.isInput { Streams.complain("") }
                return nil
            }
            let query = line.drop { $0 == " " || $0 == "\t" }
            if !query.isEmpty, !query.hasPrefix("#") { return String(query) }
        }
    }

    private func listen(to signals: UnixSignalsSequence) async {
        for await signal in signals {
            let isAsking = state.withLock { state in
                if signal == .sigterm { state.isEnding = true }
                return state.isAsking
            }
            guard isAsking else { continue }
            Streams.complain("")
            // Nothing runs, and a line that is waited for cannot be interrupted.
            if signal == .sigterm { ExitStatus.complete.end() }
            Streams.writeError(Self.text)
        }
    }
}
