import Glibc

/// How much memory this process uses.
package enum ProcessMemory {
    /// The bytes in physical memory, mapped files included (`/proc/self/statm`).
    package static func residentBytes() throws(SystemError) -> Int {
        try pages(inField: 1)
    }

    /// The same of another process, by its number.
    package static func residentBytes(of process: Int32) throws(SystemError) -> Int {
        try pages(inField: 1, path: "/proc/\(process)/statm")
    }

    /// The resident bytes that come from files, which the kernel can drop at any time.
    package static func fileBackedBytes() throws(SystemError) -> Int {
        try pages(inField: 2)
    }

    private static func pages(
        inField field: Int, path: String = "/proc/self/statm"
    ) throws(SystemError) -> Int {
        let descriptor = try FileDescriptor(opening: path, flags: O_RDONLY)
        let text = String(decoding: try descriptor.readSome(limit: 256), as: UTF8.self)
        let fields = text.split(separator: " ")
        guard fields.count > field, let pages = Int(fields[field]) else {
            throw .failed(call: "read", path: path, reason: .invalidArgument)
        }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
