import Glibc

/// What stands at the other end of the standard streams.
enum Terminal {
    /// Whether the standard input is a terminal.
    static var isInput: Bool { isatty(STDIN_FILENO) == 1 }
    /// Whether the standard output is a terminal.
    static var isOutput: Bool { isatty(STDOUT_FILENO) == 1 }
    /// Whether the standard error is a terminal.
    static var isError: Bool { isatty(STDERR_FILENO) == 1 }

    /// The columns of the terminal behind the standard output or error; 100 where there is none.
    static var columns: Int {
        for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
            var size = winsize()
            // The kernel fills the structure or returns an error.
            guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { continue }
            if size.ws_col > 0 { return Int(size.ws_col) }
        }
        return 100
    }
}
