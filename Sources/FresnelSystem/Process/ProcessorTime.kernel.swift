import Glibc

/// How much processor time this process used.
package enum ProcessorTime {
    /// All threads together, user and system (`CLOCK_PROCESS_CPUTIME_ID`).
    package static var nanoseconds: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
