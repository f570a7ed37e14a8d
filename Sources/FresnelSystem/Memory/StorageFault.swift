/// One thing that goes wrong in a `MemoryStorage`, once.
package enum StorageFault: Hashable, Sendable {
    /// The write that passes the given number of bytes from now stops there and fails.
    case write(afterBytes: Int, reason: ErrorNumber)
    /// The next sync of a file fails and drops what was to be written.
    case sync(reason: ErrorNumber)
    /// The next read of a file fails.
    case read(reason: ErrorNumber)
    /// Making the next file fails.
    case create(reason: ErrorNumber)
}
