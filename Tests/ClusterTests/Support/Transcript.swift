import Synchronization

/// What a process has printed so far, for those who wait for a line.
final class Transcript: Sendable {
    private struct State {
        var lines: [String] = []
        var isEnded = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var lines: [String] { state.withLock { $0.lines } }

    /// All lines as one text.
    var text: String { lines.joined(separator: "\n") }

    func add(_ line: String) {
        wake { $0.lines.append(line) }
    }

    func end() {
        wake { $0.isEnded = true }
    }

    /// Whether nothing more comes.
    var isEnded: Bool { state.withLock { $0.isEnded } }

    /// Waits until nothing more comes.
    func waitForEnd() async {
        _ = await first { _ -> Bool? in nil }
    }

    /// Waits until some line gives an answer; nil when the process ended without one.
    ///
    /// The time limit of the suite bounds the wait.
    func first<Answer>(_ answer: (String) -> Answer?) async -> Answer? {
        while true {
            let (lines, isEnded) = state.withLock { ($0.lines, $0.isEnded) }
            for line in lines {
                if let found = answer(line) { return found }
            }
            if isEnded { return nil }
            await change(after: lines.count)
        }
    }

    private func change(after count: Int) async {
        await withCheckedContinuation { continuation in
            let isStale = state.withLock { state in
                let isStale = state.lines.count > count || state.isEnded
                if !isStale { state.waiters.append(continuation) }
                return isStale
            }
            if isStale { continuation.resume() }
        }
    }

    private func wake(_ change: (inout sending State) -> Void) {
        let waiters = state.withLock { state in
            change(&state)
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
