import Logging
import Synchronization

/// What a logger was told, as "level: text".
final class LogLines: Sendable {
    private let written = Mutex<[String]>([])

    var lines: [String] { written.withLock { $0 } }

    var warnings: [String] { lines.filter { $0.hasPrefix("warning") } }

    var handler: any LogHandler { Handler(lines: self) }

    private func append(_ line: String) { written.withLock { $0.append(line) } }

    private struct Handler: LogHandler {
        let lines: LogLines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { lines.append("\(event.level): \(event.message)") }
    }
}
