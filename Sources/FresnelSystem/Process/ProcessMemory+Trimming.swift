import CAllocator

// glibc gives each thread an arena of its own. `malloc_trim` returns free pages inside of arenas,
// but the free end of an arena only goes back when memory is freed and that end is longer than a
// threshold, which the allocator raises to 64 MiB by itself when large blocks come and go.

extension ProcessMemory {
    /// Gives whole pages of freed memory back to the system, of all threads.
    ///
    /// It takes some milliseconds, in which threads that allocate may wait: call it when little is
    /// going on.
    package static func giveBackFreed() {
        // It says whether anything was given back, which changes nothing for the caller.
        _ = malloc_trim(0)
    }

    /// Keeps the free end of each thread's memory short from now on, in bytes; blocks of that size
    /// and more are the system's at once when they are freed.
    package static func keepLittleFree(_ bytes: Int32) {
        // Refused only for values out of range: then the allocator keeps what it likes.
        _ = mallopt(M_TRIM_THRESHOLD, bytes)
        _ = mallopt(M_MMAP_THRESHOLD, bytes)
    }
}
