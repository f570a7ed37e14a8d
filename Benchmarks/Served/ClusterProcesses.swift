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
