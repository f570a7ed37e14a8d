import ArgumentParser
import FresnelClient
import FresnelJSON
import FresnelModel

/// `fresnel indexes create`.
struct IndexesCreate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make an index without documents; the first import would make it, too.")

    @Argument(help: "The name of the index.")
    var name: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Into how many parts it is cut, for good (default: as the broker was started).",
            valueName: "s"))
    var shards: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Copies of every part, 1 to \(Limits.replicasPerShard), on different workers (default: \
            as the broker was started).
            """, valueName: "r"))
    var replicas: Int?

    @Option(
        help: ArgumentHelp(
            """
            Documents expire so long after they were indexed, unless they name a date: 30d, 12h or \
            never (default: as the broker was started).
            """, valueName: "duration"))
    var expiration: String?

    @OptionGroup var output: FormatOptions

    @OptionGroup var connection: ClientOptions

    func validate() throws {
        for (flag, number, limit) in [
            ("--shards", shards, Limits.shardsPerIndex),
            ("--replicas", replicas, Limits.replicasPerShard),
        ] {
            guard let number, !(1...limit).contains(number) else { continue }
            throw ValidationError("\(flag) must be a number from 1 to \(limit), not \(number)")
        }
    }

    func run() async throws {
        let name = try IndexName(self.name)
        let policy = try expiration.map { text throws(CommandError) in
            try ExpirationText.parse(text)
        }
        let index = try await connection.withClient { client in
            try await client.createIndex(
                name, shards: shards, replicas: replicas, expiration: policy)
            return try await client.status()[name]
        }
        // A status of very many indexes leaves some out.
        guard let index else { return Streams.say("index \(name) is made") }
        if output.isJSON { return Streams.say(IndexesDescription.json(index)) }
        Streams.say(
            "index \(name) is made: \(ValueText.count(index.shards.count, "shard")), "
                + "\(index.replication == 1 ? "1 copy" : "\(index.replication) copies") of each, "
                + "documents expire: \(ExpirationText.text(index.expiration))")
    }
}
