import FresnelSystem

/// How many files and sockets this process may have open (`ulimit -n`).
enum Descriptors {
    /// Raises the limit as far as the system lets it, and refuses to begin with too few: where they
    /// run out later, anything may fail, and say anything.
    static func require(_ least: Int) throws(CommandError) {
        let limit = DescriptorLimit.raise()
        guard limit >= least else {
            throw .failed(
                "no file descriptors left: this process may have \(limit), and needs \(least) at "
                    + "least; raise ulimit -n (LimitNOFILE= in a unit of systemd)")
        }
    }
}
