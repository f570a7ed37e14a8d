public import ArgumentParser
import Foundation
import FresnelModel
import FresnelSystem
public import Logging
import ZeroMQ

/// `fresnel up`.
struct Up: LongLivedCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run a whole cluster on this machine: a broker and workers as real processes.",
        discussion: """
            Prints "ready EP" when every worker is there and every shard is whole, starts again \
            what dies, and ends all of them on SIGTERM or SIGINT.

              fresnel up --workers 3 --shards 8 --data /tmp/fresnel
            """)

    @Option(
        parsing: .unconditional, help: ArgumentHelp("How many workers.", valueName: "n"))
    var workers = 3

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Shards of an index made from now on.", valueName: "s"))
    var shards = 6

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Copies of every shard of an index made from now on, 1 to 3, on different workers.",
            valueName: "r"))
    var replicas = 1

    @Option(
        help: ArgumentHelp(
            "Keep everything here (default: a temporary directory, removed at the end).",
            valueName: "dir"),
        completion: .directory)
    var data: String?

    @Option(
        help: ArgumentHelp(
            """
            Documents of an index made from now on expire so long after they were indexed, unless \
            they name a date: 30d, 12h or never.
            """, valueName: "duration"))
    var expiration = "never"

    @Flag(
        help: """
            Take empty shards for those whose directories are gone, in this run. Their documents \
            are lost for good; leave it out the next time.
            """)
    var replaceLost = false

    @Flag(
        help: """
            Take what is here for all there is of shards whose directories are older than they \
            were, in this run. What is missing is lost for good; leave it out the next time.
            """)
    var acceptLoss = false

    @Flag(
        help: """
            Take over indexes that workers hold and the broker does not know, as after its state \
            was lost, in this run; leave it out the next time.
            """)
    var adopt = false

    @Option(
        help: ArgumentHelp(
            """
            Clients connect here, and for bulk to the next port, which must be free too; port 0 \
            lets the system choose both.
            """, valueName: "ep"))
    var listen = Endpoints.clients

    @Option(
        help: ArgumentHelp(
            "trace, debug, info, notice, warning, error or critical.", valueName: "level"))
    var logLevel = Logger.Level.warning

    @OptionGroup var output: RoleOutput

    func validate() throws {
        guard (1...64).contains(workers) else {
            throw ValidationError("--workers must be a number from 1 to 64, not \(workers)")
        }
        guard (1...Limits.shardsPerIndex).contains(shards) else {
            throw ValidationError(
                "--shards must be a number from 1 to \(Limits.shardsPerIndex), not \(shards)")
        }
        guard (1...Limits.replicasPerShard).contains(replicas) else {
            throw ValidationError(
                "--replicas must be a number from 1 to \(Limits.replicasPerShard), not "
                    + "\(replicas)")
        }
    }

    func run() async throws {
        try await output.run("up") {
            let logger = output.logger("up", logLevel)
            guard let data else { return try await runTemporarily(logger) }
            try await run(in: URL(fileURLWithPath: data).path, logger)
        }
    }

    private func run(in directory: String, _ logger: Logger) async throws {
        let endpoint: Endpoint
        do throws(ZeroMQError) {
            endpoint = try Endpoint(listen)
        } catch {
            throw CommandError.usage("--listen: \(error)")
        }
        guard endpoint.isLoopback else {
            throw CommandError.usage(
                "--listen \(endpoint) can be reached from other machines and nothing is encrypted; "
                    + "listen on 127.0.0.1, or run fresnel broker --insecure")
        }
        _ = try ExpirationText.parse(expiration)
        try ClusterDirectory.refuseOthers(directory)
        try make(directory)
        let plan = ClusterPlan(
            directory: directory, workerCount: workers, shardCount: shards, replication: replicas,
            listen: endpoint, expiration: expiration,
            replacesLost: replaceLost, acceptsLoss: acceptLoss, adoptsUnknown: adopt,
            logLevel: logLevel.rawValue, isJSON: output.json)
        let output = output
        let supervisor = Supervisor(plan, logger: logger) { doors in
            output.announce("endpoint", doors.clients)
        }
        try await Role.run(supervisor, isSupervised: false, logger: logger)
    }

    private func runTemporarily(_ logger: Logger) async throws {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("fresnel-\(ProcessInfo.processInfo.processIdentifier)").path
        let notice =
            "documents are kept in \(directory) and removed at the end; --data DIR keeps them"
        if output.json {
            output.logger("up", .notice).notice("\(notice)")
        } else {
            Streams.complain(notice)
        }
        defer {
            // What cannot be removed stays in the directory for temporary files.
            try? FileManager.default.removeItem(atPath: directory)
        }
        try await run(in: directory, logger)
    }

    private func make(_ directory: String) throws {
        do throws(SystemError) {
            try DiskStorage().makeDirectory(directory)
        } catch {
            // The call, the path, the reason and what to do.
            throw CommandError.failed("\(error)")
        }
    }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
