import Foundation
import TortureHistory

/// Where the processes stand: directories, addresses, and what of it can be broken.
///
/// In namespaces of their own (the script beside this program makes them) every worker gets a
/// network of its own, joined to the broker's by a bridge, and the first worker a small disk. The
/// namespaces, and so everything in them, end with the run.
struct Stage: Sendable {
    /// The bytes of the first worker's disk.
    private static let diskBytes = 512 << 20
    /// What of it stays free when it is full: less than a journal's next piece, more than nothing.
    private static let leftBytes = 64 << 10

    let directory: String
    let port: Int
    let workers: Int
    /// What can be broken here.
    private(set) var means = FaultPlan.Means(network: false, disk: false, freeze: false)
    /// What cannot be done here, and why.
    private(set) var shortcomings: [String] = []

    /// Makes directories, and networks and a disk where the run has namespaces of its own.
    init(directory: String, port: Int, workers: Int, hasNamespaces: Bool) async throws {
        self.directory = directory
        self.port = port
        self.workers = workers
        try FileManager.default.createDirectory(
            atPath: "\(directory)/logs", withIntermediateDirectories: true)
        for worker in 1...workers {
            try FileManager.default.createDirectory(
                atPath: workerDirectory(worker), withIntermediateDirectories: true)
        }
        guard hasNamespaces else {
            shortcomings.append("no namespaces (not root?): no partitions, no full disk")
            return
        }
        do {
            try await makeNetworks()
            means.network = true
        } catch {
            shortcomings.append("no partitions: \(error)")
        }
        await makeDisk()
    }

    var endpoint: String { "tcp://127.0.0.1:\(port)" }

    var brokerDirectory: String { "\(directory)/broker" }

    func workerDirectory(_ worker: Int) -> String { "\(directory)/worker-\(worker)" }

    func logFile(_ name: String) -> String { "\(directory)/logs/\(name).log" }

    /// What starts the broker, before its options of the cluster.
    func broker(_ program: String) -> [String] {
        [
            program, "broker", "--data", brokerDirectory, "--listen", endpoint,
            "--worker-listen", "tcp://\(brokerAddress):\(port + 10)", "--insecure",
            "--supervised", "--log-level", "info",
        ]
    }

    /// What starts a worker.
    func worker(_ worker: Int, _ program: String) -> [String] {
        let inside = means.network ? ["nsenter", "--net=/run/netns/w\(worker)", "--"] : []
        return inside + [
            program, "worker", "--data", workerDirectory(worker), "--name", "worker-\(worker)",
            "--broker", "tcp://\(brokerAddress):\(port + 10)", "--transfer-listen",
            "tcp://\(address(worker)):\(port + 20 + worker)", "--insecure", "--supervised",
            "--log-level", "info",
        ]
    }

    private var brokerAddress: String { means.network ? "10.77.0.1" : "127.0.0.1" }

    private func address(_ worker: Int) -> String {
        means.network ? "10.77.0.\(10 + worker)" : "127.0.0.1"
    }

    private func makeNetworks() async throws {
        try await Shell.run("ip", "link", "set", "lo", "up")
        // The names of networks are files there, which must not stay on the machine.
        try await Shell.run("mount", "-t", "tmpfs", "none", "/run")
        try FileManager.default.createDirectory(
            atPath: "/run/netns", withIntermediateDirectories: true)
        try await Shell.run(
            "ip", "link", "add", "torture", "type", "bridge", "forward_delay", "0")
        try await Shell.run("ip", "address", "add", "10.77.0.1/24", "dev", "torture")
        try await Shell.run("ip", "link", "set", "torture", "up")
        for worker in 1...workers {
            let (name, link) = ("w\(worker)", "link\(worker)")
            try await Shell.run("ip", "netns", "add", name)
            try await Shell.run(
                "ip", "link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", name)
            try await Shell.run("ip", "link", "set", link, "master", "torture", "up")
            try await Shell.run(
                "ip", "-n", name, "address", "add", "10.77.0.\(10 + worker)/24", "dev", "eth0")
            try await Shell.run("ip", "-n", name, "link", "set", "eth0", "up")
            try await Shell.run("ip", "-n", name, "link", "set", "lo", "up")
        }
    }

    /// A file system of its own for the first worker: in a file, where that can be mounted, else in
    /// memory.
    private mutating func makeDisk() async {
        let (image, place) = ("\(directory)/disk.img", workerDirectory(1))
        do {
            try await Shell.run("truncate", "-s", "\(Self.diskBytes)", image)
            try await Shell.run("mkfs.ext4", "-q", "-F", "-m", "0", image)
            try await Shell.run("mount", "-o", "loop", image, place)
            // A directory that belongs to nobody is not the worker's.
            try await Shell.run("rm", "-rf", "\(place)/lost+found")
            means.disk = true
            means.freeze = true
            return
        } catch {
            shortcomings.append("no disk that freezes: \(error)")
        }
        do {
            try await Shell.run(
                "mount", "-t", "tmpfs", "-o", "size=\(Self.diskBytes / 2)", "none", place)
            means.disk = true
        } catch {
            shortcomings.append("no disk that can be full: \(error)")
        }
    }

    /// Takes the disk away, so that the directory can be removed.
    func dismount() async throws {
        if means.disk { try await Shell.run("umount", workerDirectory(1)) }
    }
}

extension Stage {
    /// Whether a worker is joined to the bridge.
    func setLink(_ worker: Int, isUp: Bool) async throws {
        try await Shell.run("ip", "link", "set", "link\(worker)", isUp ? "up" : "down")
    }

    /// Whether packets go from the broker's network to a worker.
    func setWay(toWorker worker: Int, isOpen: Bool) async throws {
        try await Shell.run(
            "ip", "route", isOpen ? "del" : "add", "blackhole", "\(address(worker))/32")
    }

    /// Whether packets go from a worker to the broker's network.
    func setWay(fromWorker worker: Int, isOpen: Bool) async throws {
        try await Shell.run(
            "ip", "-n", "w\(worker)", "route", isOpen ? "del" : "add", "blackhole",
            "\(brokerAddress)/32")
    }

    /// Whether two workers reach each other.
    func setWay(between first: Int, and second: Int, isOpen: Bool) async throws {
        for (from, to) in [(first, second), (second, first)] {
            try await Shell.run(
                "ip", "-n", "w\(from)", "route", isOpen ? "del" : "add", "blackhole",
                "\(address(to))/32")
        }
    }

    /// Fills the first worker's disk, or makes room again.
    func setDisk(isFull: Bool) async throws {
        let ballast = "\(workerDirectory(1))/ballast"
        guard isFull else {
            try FileManager.default.removeItem(atPath: ballast)
            return
        }
        let text = try await Shell.run("df", "--output=avail", "-B1", workerDirectory(1))
        let free = text.split(separator: "\n").last.flatMap { Int($0.filter(\.isNumber)) } ?? 0
        try await Shell.run(
            "fallocate", "-l", "\(max(1, free - Self.leftBytes))", ballast)
    }

    /// Freezes the first worker's disk and thaws it after a time, also if this program ends before.
    func freezeDisk(milliseconds: Int) async throws {
        let line = "fsfreeze -f \"$0\" && sleep \"$1\"; fsfreeze -u \"$0\""
        try await Shell.run(
            "sh", "-c", line, workerDirectory(1), Double(milliseconds).description + "e-3")
    }
}
