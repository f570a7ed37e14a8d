import Glibc

/// What `ps` and `top` show of this process.
///
/// A process that was started as `/proc/self/exe` is called so, and `exe` for short. Both names are
/// its own to change: the short one through `/proc/self/comm`, the arguments by writing over them
/// where the kernel laid them, as PostgreSQL does.
package enum ProcessTitle {
    /// The bytes of a short name; the kernel cuts longer ones.
    package static let shortBytes = 15

    /// Shows other arguments, as many as there is room for, and another short name.
    ///
    /// The arguments must have been read: nobody finds the old ones afterwards. To be called while
    /// the process has one thread that knows them. Where the system does not let it, nothing
    /// happens: the name is for people.
    package static func show(_ arguments: [String], short: String) {
        // A name is not worth an error.
        if let comm = try? FileDescriptor(opening: "/proc/self/comm", flags: O_WRONLY) {
            let name = Array(short.utf8.prefix(shortBytes))
            // The kernel copies the bytes during the call; the file knows no offsets.
            _ = unsafe name.withUnsafeBytes { bytes in
                unsafe write(comm.number, bytes.baseAddress, bytes.count)
            }
        }
        guard let place = argumentPlace() else { return }
        overwrite(place, with: layout(arguments, size: place.count))
    }

    /// The arguments as the kernel lays them, each with a zero behind it; those that do not fit are
    /// left out, and the rest is zeros.
    static func layout(_ arguments: [String], size: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for argument in arguments {
            let next = Array(argument.utf8.filter { $0 != 0 }) + [0]
            guard bytes.count + next.count <= size else { break }
            bytes += next
        }
        return bytes + [UInt8](repeating: 0, count: size - bytes.count)
    }

    /// Where the kernel laid the arguments: fields 48 and 49 of `/proc/self/stat`.
    private static func argumentPlace() -> Range<UInt>? {
        do throws(SystemError) {
            let file = try FileDescriptor(opening: "/proc/self/stat", flags: O_RDONLY)
            let bytes = try file.readSome(limit: 4096)
            return argumentPlace(inStatus: String(decoding: bytes, as: UTF8.self))
        } catch {
            return nil
        }
    }

    /// The addresses in a line of `/proc/self/stat`; nil where it has none.
    static func argumentPlace(inStatus line: String) -> Range<UInt>? {
        // The second field is a name in parentheses, which may have blanks and parentheses.
        guard let end = line.lastIndex(of: ")") else { return nil }
        let fields = line[line.index(after: end)...].split(separator: " ")
        // Behind the name stands field 3.
        guard fields.count > 46, let first = UInt(fields[45]), let last = UInt(fields[46]),
            first > 0, first < last, last - first <= 1 << 21
        else { return nil }
        return first..<last
    }

    private static func overwrite(_ place: Range<UInt>, with bytes: [UInt8]) {
        guard bytes.count == place.count,
            let start = unsafe UnsafeMutableRawPointer(
                bitPattern: place.lowerBound)
        else { return }
        // The kernel says that these bytes are the arguments of this process: they lie on its
        // first thread's stack, which is writable and stays as long as the process. Neither Swift,
        // which copied them, nor libc looks at them again, but as strings that still end with zero.
        unsafe start.copyMemory(from: bytes, byteCount: bytes.count)
    }
}
