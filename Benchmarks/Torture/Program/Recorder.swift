import Foundation
import FresnelSystem
import Synchronization
import TortureHistory

/// Prints a line now, also into a pipe: who waits for minutes wants to see where the run is.
func say(_ line: String) {
    // Nobody reads any more: that is no reason to stop.
    try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
}

/// Writes the history, and keeps it for the checker.
final class Recorder: Sendable {
    private let events = Mutex<[HistoryEvent]>([])
    private let file: Mutex<FileHandle>

    /// Begins a history in a file.
    init(_ path: String) throws {
        try Data().write(to: URL(filePath: path))
        file = Mutex(try FileHandle(forWritingTo: URL(filePath: path)))
    }

    /// The time of all events.
    static var now: Int64 { SystemTime().monotonicNanoseconds() }

    /// What was recorded so far.
    var history: [HistoryEvent] { events.withLock { $0 } }

    /// Adds an event.
    func record(_ event: HistoryEvent) {
        events.withLock { $0.append(event) }
        do {
            let line = try HistoryFile.line(event)
            try file.withLock { try $0.write(contentsOf: line) }
        } catch {
            // What is in memory is checked all the same.
            say("the history's file is not whole: \(error)")
        }
    }

    /// Adds a promise that was seen broken.
    func trouble(_ kind: Violation.Kind, _ text: String) {
        say("trouble: \(text)")
        record(.trouble(TroubleEvent(kind, text, at: Self.now)))
    }
}
