import FresnelSystem
import Foundation
import Logging

/// Prints the time of every traced message, and what is wrong on the standard error.
struct ReceiptLog: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let now = SystemTime().monotonicNanoseconds()
        if event.level == .trace, "\(event.message)".hasPrefix("cancelled") {
            FileHandle.standardOutput.write(Data("\(now)\n".utf8))
        } else if event.level >= .warning {
            FileHandle.standardError.write(Data("idle worker: \(event.message)\n".utf8))
        }
    }
}
