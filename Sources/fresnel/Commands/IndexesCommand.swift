import ArgumentParser
import FresnelClient
import FresnelJSON

/// `fresnel indexes`.
struct IndexesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "indexes",
        abstract: "List, make and remove indexes, and give them other names.",
        discussion: """
            An alias is a name that leads to an index, for reading and writing. To replace a \
            catalogue without a gap, import the new one beside the old one and let the alias lead \
            to it, in one step:

              fresnel indexes
              fresnel indexes create shop-2 --shards 8 --replicas 2
              fresnel index catalogue.ndjson --index shop-2
              fresnel indexes alias shop shop-2
              fresnel indexes remove shop-1
            """,
        subcommands: [
            IndexesList.self, IndexesCreate.self, IndexesRemove.self, IndexesAlias.self,
        ],
        defaultSubcommand: IndexesList.self)
}

/// `fresnel indexes list`.
struct IndexesList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show the indexes (this is what `fresnel indexes` does).")

    @OptionGroup var output: FormatOptions

    @OptionGroup var connection: ClientOptions

    func run() async throws {
        let status = try await connection.withClient { try await $0.status() }
        if output.isJSON {
            Streams.say(IndexesDescription.json(status))
        } else {
            Streams.say(lines: IndexesDescription.lines(status))
        }
    }
}
