/// Why a command did not do its work, where no other module's error says it.
enum CommandError: Error, CustomStringConvertible, Sendable {
    /// The command line, the environment or the settings file is wrong.
    case usage(String)
    /// It was understood but did not work.
    case failed(String)
    /// Nobody answered in time.
    case unavailable(String)

    var status: ExitStatus {
        switch self {
        case .usage: .usage
        case .failed: .failed
        case .unavailable: .unavailable
        }
    }

    var description: String {
        switch self {
        case .usage(let text), .failed(let text), .unavailable(let text): text
        }
    }
}
