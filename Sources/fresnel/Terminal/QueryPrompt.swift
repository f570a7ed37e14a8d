import FresnelClient
import FresnelModel
import Glibc
import Synchronization
import UnixSignals

/// Queries from the standard input, one a line; asks for them where a person types.
///
/// There the line is edited, with what was typed before (`LineEditor`), and Ctrl-C drops it; where
/// there is no editor the terminal does both, and only the prompt is shown again. While a query
/// runs, `SearchRun` hears the same signals and cancels it.
final class QueryPrompt: Sendable {
    private struct State {
        /// Whether a line is being waited for.
        var isAsking = false
        /// Whether the process was asked to end.
        var isEnding = false
    }

    private static let text = "fresnel> "
    private let state = Mutex(State())
    private let lines: Mutex<SourceLines>
    /// Nil where nobody types, or where it cannot be shown.
    private let editor: Mutex<LineEditor?>

    private init() throws(SearchError) {
        lines = Mutex(try SourceLines(.standardInput))
        guard Terminal.isInput, Terminal.isError else {
            editor = Mutex(nil)
            return
        }
        let made = LineEditor(prompt: Self.text, lines: PromptHistory.lines)
        for line in PromptHistory.read().queries { made?.remember(line) }
        editor = Mutex(made)
    }

    /// Lends a prompt to `body`; signals are heard until that returns.
    static func with<Answer>(
        _ body: (QueryPrompt) async throws -> Answer
    ) async throws -> Answer {
        let prompt = try QueryPrompt()
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
    ///
    /// - Returns: a failure for a line that cannot be read; the next one can be.
    /// - Throws: `SearchError` when the input cannot be read any more.
    func next() throws(SearchError) -> Result<String, SearchError>? {
        while let line = try nextLine() {
            guard case .success(let text) = line else { return line }
            let query = text.drop { $0 == " " || $0 == "\t" }
            if !query.isEmpty, !query.hasPrefix("#") { return .success(String(query)) }
        }
        return nil
    }

    /// The next line, asked for where a person types; nil at the end.
    private func nextLine() throws(SearchError) -> Result<String, SearchError>? {
        guard Terminal.isInput else { return try read() }
        let isEnding = state.withLock { state in
            state.isAsking = true
            return state.isEnding
        }
        defer { state.withLock { $0.isAsking = false } }
        if isEnding { return nil }
        let line = try ask()
        if line == nil { Streams.complain("") }
        return line
    }

    /// What a person types next.
    private func ask() throws(SearchError) -> Result<String, SearchError>? {
        while !state.withLock(\.isEnding) {
            switch editor.withLock({ $0?.read() }) {
            case nil:
                Streams.ask(Self.text)
                return try read()
            case .cancelled: Streams.complain("")
            case .end: return nil
            case .unreadable:
                return .failure(SearchError(.invalidArgument, "the line is not UTF-8"))
            case .line(let text):
                if PromptHistory.keep(text) { editor.withLock { $0?.remember(text) } }
                return .success(text)
            }
        }
        return nil
    }

    private func read() throws(SearchError) -> Result<String, SearchError>? {
        try lines.withLock { lines throws(SearchError) in try lines.next() }
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
            if signal == .sigterm {
                LineEditor.giveTerminalBack()
                ExitStatus.complete.end()
            }
            Streams.ask(Self.text)
        }
    }
}
