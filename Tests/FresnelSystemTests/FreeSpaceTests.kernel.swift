import FresnelSystem
import Glibc
import Testing

@Suite("Free space of a disk")
struct FreeSpaceTests {
    @Test("is what the system tells, in bytes")
    func bytes() throws {
        let temporary = try TemporaryDirectory()
        var status = statvfs()
        // The path ends with a zero byte, and the status is this function's own.
        try #require(unsafe statvfs(temporary.path, &status) == 0)
        let expected = Double(status.f_bavail) * Double(status.f_frsize)
        let told = Double(try DiskStorage().freeBytes(at: temporary.path))
        // Others write and remove files meanwhile; wrong units would be wrong by a factor of 512.
        #expect(told > 0 && told > expected / 2 && told < expected * 2, "\(told), \(expected)")
    }

    @Test("is not told of a directory that is not there")
    func missing() throws {
        let path = FilePath.join(try TemporaryDirectory().path, "missing")
        #expect(
            throws: SystemError.failed(call: "statvfs", path: path, reason: .noEntry)
        ) {
            try DiskStorage().freeBytes(at: path)
        }
    }
}
