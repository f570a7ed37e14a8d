import Glibc

/// What this process and its machine are.
package enum Machine {
    /// The number of this process.
    package static var processID: Int32 { getpid() }

    /// The processors that are switched on, at least 1.
    package static var processorCount: Int {
        max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }

    /// What the machine calls its processors, as in `/proc/cpuinfo`; nil where it does not say.
    package static var processorModel: String? {
        do throws(SystemError) {
            let file = try FileDescriptor(opening: "/proc/cpuinfo", flags: O_RDONLY)
            let bytes = try file.readSome(limit: 4096)
            return processorModel(in: String(decoding: bytes, as: UTF8.self))
        } catch {
            return nil
        }
    }

    /// The first model in the text of `/proc/cpuinfo`.
    static func processorModel(in text: String) -> String? {
        let lines = text.split(separator: "\n")
        for name in ["model name", "Model", "cpu model"] {
            guard let line = lines.first(where: { $0.hasPrefix(name) }),
                let colon = line.firstIndex(of: ":")
            else { continue }
            let words = line[line.index(after: colon)...].split(separator: " ")
            if !words.isEmpty { return words.joined(separator: " ") }
        }
        return nil
    }

    /// The machine's name, or `localhost` when it has none.
    package static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&name, 255) == 0 else { return "localhost" }
        let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return bytes.isEmpty ? "localhost" : String(decoding: bytes, as: UTF8.self)
    }
}
