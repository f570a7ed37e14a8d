import FresnelLoad
import FresnelSystem
import Synchronization

/// Tells how a load goes while it runs: one line that is written again on a terminal, one every
/// five seconds elsewhere.
final class LoadDisplay: Sendable {
    private struct Current {
        var label = ""
        var rate: Double?
        var recorder: Recorder?
    }

    let isQuiet: Bool
    private let isTerminal = Terminal.isError
    private let current = Mutex(Current())

    init(isQuiet: Bool) {
        self.isQuiet = isQuiet
    }

    /// A measurement begins.
    func begin(_ label: String, _ rate: Double?, _ recorder: Recorder) {
        current.withLock { $0 = Current(label: label, rate: rate, recorder: recorder) }
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
        while !Task.isCancelled {
            do { try await Task.sleep(for: pause) } catch { break }
            let now = current.withLock { $0 }
            guard let recorder = now.recorder else { continue }
            let line = Self.line(now.label, now.rate, recorder.contents)
            if isTerminal {
                Streams.writeError("\r\u{1B}[K" + line)
            } else {
                Streams.complain(line)
            }
        }
        if isTerminal { Streams.writeError("\r\u{1B}[K") }
    }

    /// What the last whole stretch of time came to, with the curve of the longest before it.
    static func line(_ label: String, _ rate: Double?, _ contents: Recorder.Contents) -> String {
        let steps = contents.timeline.steps
        let seconds = Double(steps.count) * contents.timeline.stepSeconds
        var line = "\(label)  \(Figure.plain(seconds)) s"
        if let rate { line += "  \(Figure.rate(rate)) planned" }
        // The newest stretch is not at its end.
        if let step = steps.dropLast().last {
            line += "  \(Figure.rate(Double(step.good) / contents.timeline.stepSeconds)) good"
            line += "  p50 \(Figure.time(step.latency.value(at: 50)))"
            line += "  max \(Figure.time(step.latency.largest))"
            line += "  " + Self.curve(steps.dropLast().suffix(24).map { $0.latency.largest })
        }
        let failed = steps.reduce(0) { $0 + $1.failed }
        if failed > 0 { line += "  \(failed) failed" }
        return line + "  \(contents.waiting) waiting"
    }

    /// A spark line, its highest value the full height.
    static func curve(_ values: [UInt64]) -> String {
        let bars = Array("▁▂▃▄▅▆▇█")
        let most = max(values.max() ?? 1, 1)
        return String(values.map { bars[Int($0 * UInt64(bars.count - 1) / most)] })
    }
}
