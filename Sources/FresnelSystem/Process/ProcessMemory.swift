import Glibc

/// How much memory this process uses.
package enum ProcessMemory {
    /// The bytes in physical memory, mapped files included (`/proc/self/statm`).
    package static func residentBytes() throws(SystemError) -> Int {
        try residentBytes(at: "/proc/self/statm")
    }

    /// The same of another process, by its number.
    package static func residentBytes(of process: Int32) throws(SystemError) -> Int {
        try residentBytes(at: "/proc/\(process)/statm")
    }

    private static func residentBytes(at path: String) throws(SystemError) -> Int {
        let descriptor = try FileDescriptor(opening: path, flags: O_RDONLY)
        let text = String(decoding: try descriptor.readSome(limit: 256), as: UTF8.self)
        let fields = text.split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else {
            throw .failed(call: "read", path: path, reason: .invalidArgument)
        }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
