import Glibc

/// A whole file mapped into memory for reading, until the last reference goes.
///
/// The file must be sealed: a file cut short while mapped makes readers of the lost pages crash, so
/// only files that are never written again are mapped (segments; never the journal). Removing or
/// replacing the name is fine, the mapping keeps the old contents.
@safe
package final class MappedFile: Sendable {
    /// Where it was opened.
    package let path: String
    /// The size in bytes.
    package let count: Int
    /// The mapping: never written, unmapped only in `deinit`; nil for an empty file.
    nonisolated(unsafe) let start: UnsafeRawPointer?

    /// Maps a file.
    package init(_ path: String) throws(SystemError) {
        let descriptor = try FileDescriptor(opening: path, flags: O_RDONLY)
        let size = try descriptor.size()
        var mapping: UnsafeRawPointer?
        if size > 0 {
            let answer = unsafe mmap(nil, size, PROT_READ, MAP_SHARED, descriptor.number, 0)
            guard let address = unsafe answer, unsafe address != MAP_FAILED else {
                throw .failed(call: "mmap", path: path, reason: .current)
            }
            unsafe mapping = UnsafeRawPointer(address)
        }
        self.path = path
        count = size
        unsafe start = mapping
    }

    /// Tells the system that everything will be read soon.
    func prefetch() { advise(MADV_WILLNEED) }

    /// Lets go of the pages that were read; the system keeps them as long as it has room, and they
    /// come back when they are read again.
    func release() { advise(MADV_DONTNEED) }

    /// What the system makes of an advice changes no byte, so a refusal is none of ours.
    private func advise(_ advice: Int32) {
        guard let start = unsafe start else { return }
        _ = unsafe madvise(UnsafeMutableRawPointer(mutating: start), count, advice)
    }

    deinit {
        if let start = unsafe start {
            _ = unsafe munmap(UnsafeMutableRawPointer(mutating: start), count)
        }
    }

    /// The bytes, valid while this object is.
    package var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get {
            let buffer = unsafe UnsafeRawBufferPointer(start: start, count: count)
            let span = unsafe Span<UInt8>(_unsafeBytes: buffer)
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }
}
