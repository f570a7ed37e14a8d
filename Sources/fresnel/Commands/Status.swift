import ArgumentParser
import FresnelClient
import FresnelJSON

/// `fresnel status`.
struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show workers, indexes and shards of the cluster.",
        discussion: """
            "keeps" is for how long, and for how many batches, a worker keeps what \
            was replaced or deleted for cursors to read; "readable from" is the oldest sequence \
            number that all shards of an index can still be read at, shard by shard in --json. \
            Exit code 0 when every shard is whole, all clocks agree and the broker can write \
            its state, 3 when not.

              fresnel status --json
            """)

    @OptionGroup var output: FormatOptions

    @OptionGroup var connection: ClientOptions

    func run() async throws {
        let (status, endpoint) = try await connection.withClient {
            (try await $0.status(), $0.endpoint)
        }
        if output.isJSON {
            Streams.say(StatusDescription.json(status, endpoint: endpoint))
        } else {
            for line in StatusDescription.lines(status, endpoint: endpoint) { Streams.say(line) }
        }
        let isSound =
            status.isWhole && status.clockTrouble.isEmpty && status.unwritten.isEmpty
        try CommandEnd.check(isSound ? .complete : .incomplete)
    }
}
