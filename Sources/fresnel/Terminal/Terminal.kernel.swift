import Glibc

/// What stands at the other end of the standard streams.
enum Terminal {
    /// Whether the standard input is a terminal.
    static var isInput: Bool { isatty(STDIN_FILENO) == 1 }
    /// Whether the standard output is a terminal.
    static var isOutput: Bool { isatty(STDOUT_FILENO) == 1 }
    /// Whether the standard error is a terminal.
    static var isError: Bool { isatty(STDERR_FILENO) == 1 }

    /// The columns of the terminal behind the standard output; nil where there is none.
    static var columns: Int? { isOutput ? columns(of: STDOUT_FILENO) : nil }

    /// The columns of the terminal behind the standard error; 100 where there is none.
    static var errorColumns: Int { columns(of: STDERR_FILENO) }

    private static func columns(of stream: Int32) -> Int {
        var size = winsize()
        // The kernel fills the structure or returns an error.
        guard unsafe ioctl(stream, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return 100
        }
        return Int(size.ws_col)
    }
}
