import CAllocator
import Synchronization

// glibc gives each thread an arena, eight for each processor at most. `malloc_trim` returns free
// pages inside of arenas, but the free end of an arena only goes back when free memory of 64 KiB
// and more comes together there and that end is longer than a threshold, which the allocator raises
// to 64 MiB by itself when large blocks come and go. So the threads that take much and free it, by
// merging, writing, sealing and passing on, give their own ends back.

extension ProcessMemory {
    /// What a thread keeps at the free end of its memory while it works, in bytes: less would be
    /// asked of the system again with every batch.
    private static let keptBytes: Int32 = 32 << 20
    /// The threshold is the whole process's: one thread at a time makes it short.
    private static let threshold = Mutex(())

    /// Keeps the free end of each thread's memory short from now on; blocks of its greatest length
    /// and more are the system's at once when they are freed.
    package static func keepLittleFree() {
        // Refused only for values out of range: then the allocator keeps what it likes.
        _ = mallopt(M_TRIM_THRESHOLD, keptBytes)
        _ = mallopt(M_MMAP_THRESHOLD, keptBytes)
    }

    /// Gives whole pages of freed memory back to the system: of all threads what lies between
    /// blocks, of the calling one the free end, too.
    ///
    /// It takes some milliseconds, in which threads that allocate may wait: call it when little is
    /// going on.
    package static func giveBackFreed() {
        // It says whether anything was given back, which changes nothing for the caller.
        _ = malloc_trim(0)
        giveBackFreeEnd()
    }

    /// Gives the free end of the calling thread's memory back to the system; hardly anybody waits
    /// for it.
    package static func giveBackFreeEnd() {
        threshold.withLock { _ in
            _ = mallopt(M_TRIM_THRESHOLD, 0)
            fresnel_look_at_free_end()
            _ = mallopt(M_TRIM_THRESHOLD, keptBytes)
        }
    }
}
