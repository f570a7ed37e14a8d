import Foundation
import FresnelJSON
import FresnelSystem

/// The standard output, for what was asked for, and the standard error, for all else.
///
/// The one place where either is written. Text for people is shown as `ShownText` says, and what is
/// given as one line is one; JSON goes out with its strings escaped.
enum Streams {
    /// Whether what is written to the standard output may have a style.
    private static let isStyled = Style.standard.isColoured

    /// Writes a line for people to the standard output at once.
    static func say(_ line: String) { say(lines: [line]) }

    /// Writes lines for people to the standard output, all at once.
    static func say(lines: [String]) {
        write(
            lines.map { ShownText.oneLine($0, isStyled: isStyled) + "\n" }.joined(),
            to: .standardOutput)
    }

    /// Writes a line of JSON to the standard output at once.
    static func say(_ json: JSONValue) { sayJSON(json.serialized()) }

    /// Writes JSON, one line or several with breaks between them, to the standard output at once.
    static func sayJSON(_ text: String) {
        write(ShownText.json(text) + "\n", to: .standardOutput)
    }

    /// Writes a text of ours, as a page or a script, to the standard output; as it is, unless
    /// somebody looks at it.
    static func writeFile(_ text: String) {
        write(Terminal.isOutput ? ShownText.lines(text) : text, to: .standardOutput)
    }

    /// Writes a line for people to the standard error at once.
    static func complain(_ line: String) {
        write(ShownText.oneLine(line) + "\n", to: .standardError)
    }

    /// Writes text for people to the standard error at once; its line breaks are ours.
    static func complain(text: String) {
        write(ShownText.lines(text) + "\n", to: .standardError)
    }

    /// Writes to the standard error what went wrong.
    static func complain(of error: any Error) {
        switch error {
        // With the place in the query, or the last lines of a log, below.
        case is QueryComplaint, is CommandError: complain(text: "fresnel: \(error)")
        default: complain("fresnel: \(error)")
        }
    }

    /// Writes a line of JSON to the standard error at once.
    static func complain(_ json: JSONValue) {
        write(ShownText.json(json.serialized()) + "\n", to: .standardError)
    }

    /// Writes a question to the standard error; the answer follows in its line.
    static func ask(_ question: String) {
        write(ShownText.oneLine(question), to: .standardError)
    }

    /// Writes what shows how something goes over what was there before, on a terminal behind the
    /// standard error.
    ///
    /// - Parameter lines: how many lines were there, each with its end; 0 for a line without one.
    static func redraw(_ text: String, over lines: Int = 0) {
        let back = lines > 0 ? "\u{1B}[\(lines)A\r\u{1B}[J" : "\r\u{1B}[K"
        write(back + ShownText.lines(text), to: .standardError)
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
