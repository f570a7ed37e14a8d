import ArgumentParser
import FresnelBroker
import FresnelModel
import FresnelQuery
import FresnelWorker
import Glibc

/// The exit codes scripts may rely on; nothing else decides one.
enum ExitStatus: Int32, Sendable {
    /// Everything that was asked for was done, every answer was complete.
    case complete = 0
    /// Something was refused, missing or broken.
    case failed = 1
    /// The command line or the query cannot be understood.
    case usage = 2
    /// An answer came, but not from the whole index.
    case incomplete = 3
    /// Nobody answered, or not in time.
    case unavailable = 4
}

extension ExitStatus {
    /// The status of an answer.
    init(_ completion: Completion) {
        switch completion.status {
        case .complete: self = completion.isComplete ? .complete : .incomplete
        case .incomplete, .cancelled: self = .incomplete
        case .deadline: self = .unavailable
        case .failed:
            if let error = completion.error {
                self = ExitStatus(error)
            } else {
                let isPartial = completion.shards.contains(where: \.isWhole)
                self = isPartial ? .incomplete : .unavailable
            }
        }
    }

    /// The status of a request that failed.
    init(_ error: SearchError) {
        switch error.code {
        case .invalidQuery, .invalidArgument: self = .usage
        case .cancelled: self = .incomplete
        case .remoteConnectionError, .indexUnreachable, .indexUnavailable: self = .unavailable
        default: self = (300..<400).contains(error.code.rawValue) ? .unavailable : .failed
        }
    }

    /// The status of any error a command throws.
    init(_ error: any Error) {
        switch error {
        case let error as CommandError: self = error.status
        case let error as SearchError: self = ExitStatus(error)
        case is QueryError, is QueryComplaint: self = .usage
        case BrokerError.plaintext, WorkerError.plaintext, WorkerError.invalidName: self = .usage
        default: self = .failed
        }
    }

    /// The worse of two, for a command that asks several times.
    func worse(_ other: ExitStatus) -> ExitStatus {
        rawValue >= other.rawValue ? self : other
    }

    /// Ends the process with this status.
    func end() -> Never { exit(rawValue) }
}

extension ExitStatus {
    /// Says what went wrong and ends the process with the status that belongs to it.
    static func end(after error: any Error, of command: any ParsableCommand.Type) -> Never {
        switch error {
        case let status as CommandEnd:
            status.status.end()
        case is CommandError, is SearchError, is QueryError, is QueryComplaint, is BrokerError,
            is WorkerError:
            Streams.complain("fresnel: \(error)")
            ExitStatus(error).end()
        default:
            endParsing(error, of: command)
        }
    }

    /// Help and versions go to the standard output, complaints about usage to the standard error.
    private static func endParsing(_ error: any Error, of command: any ParsableCommand.Type)
        -> Never
    {
        let text = command.fullMessage(for: error)
        let code = command.exitCode(for: error)
        if code == .success {
            if !text.isEmpty { Streams.say(text) }
            ExitStatus.complete.end()
        }
        if !text.isEmpty { Streams.complain(text) }
        (code == .validationFailure ? ExitStatus.usage : .failed).end()
    }
}

/// Ends a command quietly: what there was to say was said.
struct CommandEnd: Error {
    let status: ExitStatus

    /// Throws unless the status is `complete`.
    static func check(_ status: ExitStatus) throws {
        guard status == .complete else { throw CommandEnd(status: status) }
    }
}
