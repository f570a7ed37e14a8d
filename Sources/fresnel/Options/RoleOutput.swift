import ArgumentParser
import FresnelJSON
import Logging

/// How a long-lived process tells that it is ready, what it does, and why it ended.
struct RoleOutput: ParsableArguments {
    @Flag(help: "Print the line \"ready\" and the log as one JSON object a line.")
    var json = false

    /// A logger to the standard error.
    func logger(_ label: String, _ level: Logger.Level) -> Logger {
        var logger = Logger(label: label) { label -> any LogHandler in
            json ? JSONLogHandler(label: label) : TextLogHandler(label: label)
        }
        logger.logLevel = level
        return logger
    }

    /// Prints the line for whoever waits: `ready EP`, or `{"ready":{"endpoint":"EP"}}`.
    func announce(_ name: String, _ value: String) {
        guard json else { return Streams.say("ready \(value)") }
        let line: JSONValue = ["ready": [name: .string(value)]]
        Streams.say(line)
    }

    /// Runs a process; with `--json` the reason of its end is a line of JSON, too.
    func run(_ label: String, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let end as CommandEnd {
            throw end
        } catch  where json {
            logger(label, .info).critical("\(error)")
            throw CommandEnd(status: ExitStatus(error))
        }
    }
}
