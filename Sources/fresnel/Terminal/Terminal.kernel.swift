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
    static var columns: Int? {
        guard isOutput else { return nil }
        var size = winsize()
        // The kernel fills the structure or returns an error.
        guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return 100
        }
        return Int(size.ws_col)
    }
}
