import Foundation
import FresnelSystem

/// The standard output, for what was asked for, and the standard error, for all else.
enum Streams {
    /// Writes a line to the standard output at once.
    static func say(_ line: String) {
        write(line + "\n", to: .standardOutput)
    }

    /// Writes a line to the standard error at once.
    static func complain(_ line: String) {
        write(line + "\n", to: .standardError)
    }

    /// Writes text as it is to the standard output at once.
    static func write(_ text: String) {
        write(text, to: .standardOutput)
    }

    /// Writes text as it is to the standard error at once.
    static func writeError(_ text: String) {
        write(text, to: .standardError)
    }

    /// Writes, or ends the process: what is cut short must not look whole.
    ///
    /// A reader that went away ends it by signal; output that cannot be written, as on a
    /// full disk, ends it with exit code 1.
    private static func write(_ text: String, to stream: FileHandle) {
        do {
            try stream.write(contentsOf: Data(text.utf8))
        } catch {
            guard stream === FileHandle.standardOutput else { return }
            complain(
                "fresnel: the output cannot be written, it is incomplete: \(reason(of: error))")
            ExitStatus.failed.end()
        }
    }

    /// Why a stream takes no more, for people.
    private static func reason(of error: any Error) -> String {
        let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        guard let cause, cause.domain == NSPOSIXErrorDomain else {
            return error.localizedDescription
        }
        let number = ErrorNumber(Int32(cause.code))
        return number == .badStream ? "the standard output is closed" : number.advice
    }
}
