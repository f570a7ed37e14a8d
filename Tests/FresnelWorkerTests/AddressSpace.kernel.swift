import Foundation
import Glibc
import Testing

/// How much memory this process may have.
enum AddressSpace {
    /// Lets the process have only so many bytes more than it has; what asks for more ends it.
    static func limit(toFurther bytes: UInt) throws {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        let pages = try #require(text.split(separator: " ").first.flatMap { UInt($0) })
        var limit = rlimit()
        limit.rlim_cur = pages * UInt(getpagesize()) + bytes
        limit.rlim_max = limit.rlim_cur
        try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
    }
}
