import CAllocator

extension ProcessMemory {
    /// Gives whole pages of freed memory back to the system, of all threads (glibc `malloc_trim`).
    ///
    /// The allocator keeps what was freed for whoever allocates next, for ever. After much writing
    /// that is more than the documents take. It takes some milliseconds, in which threads that
    /// allocate may wait: call it when little is going on.
    package static func giveBackFreed() {
        // It says whether anything was given back, which changes nothing for the caller.
        _ = malloc_trim(0)
    }
}
