import Glibc

/// How many descriptors this process may have open (`ulimit -n`): files, sockets, memory maps.
package enum DescriptorLimit {
    /// The limit that holds now.
    package static var current: Int { Int(clamping: read().rlim_cur) }

    /// Raises the limit that holds to the most that the process may have without being asked:
    /// shells give 1024 of a million.
    ///
    /// - Returns: the limit that holds from then on.
    @discardableResult
    package static func raise() -> Int {
        var limit = read()
        guard limit.rlim_cur < limit.rlim_max else { return Int(clamping: limit.rlim_cur) }
        limit.rlim_cur = limit.rlim_max
        // One structure; where it is refused, the former limit goes on.
        _ = unsafe setrlimit(resource, &limit)
        return current
    }

    private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }

    private static func read() -> rlimit {
        var limit = rlimit()
        // One structure; fails for a wrong pointer or resource only.
        let status = unsafe getrlimit(resource, &limit)
        precondition(status == 0, "the limit of descriptors cannot be read: errno \(errno)")
        return limit
    }
}
