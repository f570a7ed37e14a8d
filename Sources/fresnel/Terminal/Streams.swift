import Foundation

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

    private static func write(_ text: String, to stream: FileHandle) {
        // A reader that went away ends this process by signal; a full disk behind a redirection
        // leaves nobody to tell.
        try? stream.write(contentsOf: Data(text.utf8))
    }
}
