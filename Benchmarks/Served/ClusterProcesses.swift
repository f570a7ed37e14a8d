import Foundation

/// The processes of a cluster on this machine, and what processor time they took.
struct ClusterProcesses: Sendable {
    /// Nanoseconds of processor time since the processes began.
    struct Times: Sendable {
        var broker: Int64 = 0
        var workers: Int64 = 0
        var client: Int64 = 0

        func since(_ former: Times) -> Times {
            Times(
                broker: broker - former.broker, workers: workers - former.workers,
                client: client - former.client)
        }
    }

    /// Bytes in memory, shared pages in proportion.
    struct Memory: Sendable {
        var broker: Double = 0
        var workers: Double = 0

        func sentence(beside peers: [(peer: String, bytes: Double)]) -> String {
            let others = peers.map { "\($0.peer) \(Self.megabytes($0.bytes))" }
            let ours = "broker \(Self.megabytes(broker)), workers \(Self.megabytes(workers))"
            let sum = "together \(Self.megabytes(broker + workers))"
            return "memory when all was asked (PSS, MB): \(ours), \(sum)"
                + (others.isEmpty ? "" : "; " + others.joined(separator: ", "))
        }

        private static func megabytes(_ bytes: Double) -> String {
            "\((bytes / 1e5).rounded() / 10)"
        }
    }

    private var brokers: [String] = []
    private var workers: [String] = []

    /// Finds the children of `fresnel up`; none for process 0.
    init(supervisor: Int) {
        guard supervisor > 0 else { return }
        let path = "/proc/\(supervisor)/task/\(supervisor)/children"
        // A process that ended meanwhile has no children to tell of.
        let children = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        for child in children.split(separator: " ") {
            // The same.
            let command = (try? String(contentsOfFile: "/proc/\(child)/cmdline", encoding: .utf8))
            let role = command?.split(separator: "\0").dropFirst().first
            if role == "broker" { brokers.append(String(child)) }
            if role == "worker" { workers.append(String(child)) }
        }
    }

    var times: Times {
        Times(
            broker: brokers.map(Self.nanoseconds).reduce(0, +),
            workers: workers.map(Self.nanoseconds).reduce(0, +),
            client: Self.nanoseconds(of: "self"))
    }

    var memory: Memory {
        Memory(
            broker: brokers.map(Self.proportionalBytes).reduce(0, +),
            workers: workers.map(Self.proportionalBytes).reduce(0, +))
    }

    private static func proportionalBytes(of process: String) -> Double {
        let path = "/proc/\(process)/smaps_rollup"
        // A process that ended meanwhile has nothing in memory.
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("Pss:") }
        let kilobytes = line?.split(separator: " ").dropFirst().first.flatMap { Double($0) }
        return (kilobytes ?? 0) * 1024
    }

    /// Processor time of the threads that a process has, as the kernel's scheduler counts it.
    private static func nanoseconds(of process: String) -> Int64 {
        let folder = "/proc/\(process)/task"
        // A thread that ended meanwhile is left out.
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return threads.reduce(0) { sum, thread in
            let path = "\(folder)/\(thread)/schedstat"
            // The same.
            let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            return sum + (text.split(separator: " ").first.flatMap { Int64($0) } ?? 0)
        }
    }
}
