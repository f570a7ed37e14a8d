import Glibc

/// Standard streams that whoever started the process has closed.
enum ClosedStreams {
    /// Puts something in their places, before the first socket or file takes one: what is written
    /// to the standard output would go there.
    ///
    /// Reading gets the end at once. Writing to the standard output fails as it did, since the
    /// stand-in is open for reading only; what is said on the standard error is dropped.
    static func fill() {
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
        where fcntl(stream, F_GETFD) == -1 && errno == EBADF {
            let mode = stream == STDERR_FILENO ? O_WRONLY : O_RDONLY
            // The path is a literal; the lowest free number is taken, which is this one. It stays
            // open as long as the process lives.
            _ = unsafe open("/dev/null", mode)
        }
    }
}
