import ArgumentParser
import FresnelBroker
import FresnelModel
import FresnelQuery
import FresnelSnapshot
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
    /// An answer came, but not from the whole index: a worker was away, the deadline came first, or
    /// the query was cancelled.
    case incomplete = 3
    /// No answer at all: nobody is there, or nothing was searched before the deadline.
    case unavailable = 4

    /// The codes of a load for `--help`.
    static let loadTable = """
        Exit codes:
          0  measured; the objective of --slo was held, or there is none
          1  invalid, interrupted or failed; what was measured is reported all the same
          2  a setting, a workload or a query in it cannot be meant; nothing was measured
          3  the objective was missed or is unknown, or no rate held it
          4  nobody is there, or has time; nothing was measured

        Of compare: 0 nothing is worse, 1 something is, 2 the files cannot be compared.
        """

    /// The codes for `--help`.
    static let table = """
        Exit codes:
          0  complete
          1  failed: something was refused, missing or broken
          2  the command line or the query cannot be understood
          3  an incomplete answer: a shard was missing, or the deadline came first
          4  no answer: nobody is there, or nothing was searched in time
        """
}

extension ExitStatus {
    /// The status of an answer.
    init(_ completion: Completion) {
        switch completion.status {
        case .complete: self = completion.isComplete ? .complete : .incomplete
        case .incomplete, .cancelled: self = .incomplete
        case .deadline: self = completion.isAnswer ? .incomplete : .unavailable
        case .failed:
            if let error = completion.error {
                self = ExitStatus(error)
            } else {
                self = completion.isAnswer ? .incomplete : .unavailable
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
        case SnapshotError.unreachable: self = .unavailable
        case let error as SnapshotError: self = error.isUsage ? .usage : .failed
        case is QueryError, is QueryComplaint: self = .usage
        case BrokerError.plaintext, WorkerError.plaintext, WorkerError.invalidName,
            WorkerError.openListener, WorkerError.nameless:
            self = .usage
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
            is WorkerError, is SnapshotError:
            Streams.complain(of: error)
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
            if !text.isEmpty { Streams.writeFile(text + "\n") }
            ExitStatus.complete.end()
        }
        if !text.isEmpty { Streams.complain(text: text) }
        if code == .validationFailure,
            let advice = CommandWords.advice(on: Array(CommandLine.arguments.dropFirst()))
        {
            Streams.complain("hint: \(advice)")
        }
        (code == .validationFailure ? ExitStatus.usage : .failed).end()
    }
}

extension Completion {
    /// Whether anything was searched, so that there is an answer, if not a whole one.
    fileprivate var isAnswer: Bool {
        searched > 0 || delivered > 0 || shards.contains(where: \.isWhole)
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
