import ArgumentParser
import FresnelClient
import FresnelModel

/// `fresnel index`.
struct IndexCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index",
        abstract: "Put documents into an index.",
        discussion: """
            Ends with 0 only when every document is durable and findable. A document that is \
            refused is named on the standard error as FILE:LINE:COLUMN: reason; the others go on, \
            and so do the other files when one cannot be read. \
            An import that was interrupted goes on where it stopped when it is run again: Ctrl-C \
            waits a moment for the batches on their way and ends with 1, a second one ends at \
            once. Of refusals that say the same the first 20 are printed and the others counted.

              fresnel index Examples/green-grocer.ndjson Examples/prices.csv
              fresnel index products.json catalogue.ndjson.zst --index catalogue
              fresnel index shop.csv --map sku=uniqueIdentifier --map price=cost:number
              curl -s https://shop.example/products.json | jq .products | fresnel index -

            JSON is documents of Fresnel's own form or objects with an "id", one a line, in a \
            list, or over several lines; gzip and zstd are unpacked. --dry-run shows what each \
            column or key becomes, the first documents, and what would be refused.
            """)

    @Argument(
        help: ArgumentHelp("Files; - is the standard input.", valueName: "file"),
        completion: .file())
    var files: [String]

    @Option(help: ArgumentHelp("The index; it is made by the first document.", valueName: "name"))
    var index = IndexName.standard.text

    @OptionGroup var source: SourceOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The most documents of one batch.", valueName: "n"))
    var batch = Limits.operationsPerBatch

    @Option(
        name: .customLong("declare"),
        help: ArgumentHelp(
            "Declare a custom attribute; may be given several times.",
            valueName: "name:type[:default][:multi][:unique]"))
    var declarations: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Make the index so that documents expire so long after they were indexed, unless they \
            name a date: 30d, 12h or never. An index that is there keeps the one it was made with.
            """, valueName: "duration"))
    var expiration: String?

    @Flag(help: "Begin at the beginning, also after an interrupted import.")
    var restart = false

    @Flag(help: "Read the files, show what would become of them, and change nothing.")
    var dryRun = false

    @Flag(help: "Print the totals as one JSON object.")
    var json = false

    @OptionGroup var connection: ClientOptions

    func validate() throws {
        guard (1...Limits.operationsPerBatch).contains(batch) else {
            throw ValidationError(
                "--batch must be a number from 1 to \(Limits.operationsPerBatch), not \(batch)")
        }
        guard files.count(where: { $0 == "-" }) <= 1 else {
            throw ValidationError("- can be given once: the standard input is read once")
        }
    }

    func run() async throws {
        let name = try IndexName(index)
        let keys = try declarations.map(Declaration.parse)
        let policy = try expiration.map { text throws(CommandError) in
            try ExpirationText.parse(text)
        }
        let sources = source.sources(files)
        // A name that is wrong is better known before the first document is sent.
        for source in sources { _ = try source.fingerprint() }
        try source.checkFormats(of: sources)
        guard !dryRun else { return try await preview(sources, name, declaring: keys) }
        let status = try await connection.withClient { client in
            try await check(policy, of: name, client)
            let index = client.index(name, expiration: policy)
            if !keys.isEmpty { try await index.declare(keys) }
            return try await load(sources, into: index, of: client)
        }
        try CommandEnd.check(status)
    }

    /// Shows what an import would do; also where no broker is, since nothing is written.
    private func preview(
        _ sources: [ImportSource], _ name: IndexName, declaring keys: [CustomAttributeKey]
    ) async throws {
        var schema = AttributeSchema()
        do {
            schema = try await connection.withClient { try await $0.index(name).schema() }
        } catch let error as SearchError where error.code == .indexUnreachable {
            Streams.complain("\(error.message), so the types are those of a new index")
        }
        try source.checkColumns(of: sources, schema: schema)
        var dryRun = try ImportDryRun(schema, declaring: keys, isJSON: json)
        let status = try dryRun.run(sources) { try source.options(for: $0, schema: schema) }
        try CommandEnd.check(status)
    }

    /// Refuses another expiration than the index has before anything is sent.
    private func check(
        _ policy: ExpirationPolicy?, of name: IndexName, _ client: SearchClient
    ) async throws {
        guard let policy,
            let known = try await client.status()[name],
            known.expiration != policy
        else { return }
        throw CommandError.usage(
            "index \(name) is there and has expiration \(ExpirationText.text(known.expiration)), "
                + "not \(ExpirationText.text(policy)); leave --expiration out, or give --index a "
                + "new name")
    }

    private func load(
        _ sources: [ImportSource], into index: SearchableIndex, of client: SearchClient
    ) async throws -> ExitStatus {
        // A mapping that is wrong is wrong for every file.
        try source.checkColumns(of: sources, schema: try await index.schema())
        let session = try await index.startImport(operationLimit: batch)
        let totals = ImportTotals(isJSON: json)
        let name = try IndexName(self.index)
        let interrupt = ImportInterrupt(totals) { await Self.obstacle(to: name, client) }
        let run = ImportRun(
            session, display: ImportDisplay(totals, sources: sources, format: source.format),
            interrupt: interrupt, isAnew: restart, policy: { await Self.policy(of: name, client) })
        return try await interrupt.during {
            try await run.run(sources) { source in
                try self.source.options(for: source, schema: try await index.schema())
            }
        }
    }

    /// When documents of an index expire that name no date; nil where nobody tells.
    private static func policy(
        of index: IndexName, _ client: SearchClient
    ) async -> ExpirationPolicy? {
        // The documents are acknowledged, whatever becomes of this question.
        try? await client.status()[index]?.expiration
    }

    /// The shards of an index that do not take writes now.
    private static func obstacle(to index: IndexName, _ client: SearchClient) async -> String {
        let status: ClusterStatus
        do throws(SearchError) {
            status = try await client.status()
        } catch {
            return "the broker does not answer (\(error.message))"
        }
        let away = (status[index]?.shards ?? [])
            .filter { $0.state != "whole" }
        guard !away.isEmpty else { return "`fresnel status` shows the workers" }
        let names = away.prefix(5).map {
            "shard \(index)/\($0.shard.number) on \($0.worker) is \($0.state)"
        }
        let others = away.count > 5 ? " and \(away.count - 5) more" : ""
        return names.joined(separator: ", ") + others
    }
}
