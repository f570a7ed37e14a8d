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
            refused is named on the standard error as FILE:LINE:COLUMN: reason; the others go on. \
            An import that was interrupted goes on where it stopped when it is run again.

              fresnel index Examples/green-grocer.ndjson Examples/prices.csv
              zstd -dc catalogue.ndjson.zst | fresnel index - --index catalogue
              fresnel index shop.csv --map sku=uniqueIdentifier --map price=com_shop_price:number
            """)

    @Argument(help: ArgumentHelp("Files; - is the standard input.", valueName: "file"))
    var files: [String]

    @Option(help: ArgumentHelp("The index; it is made by the first document.", valueName: "name"))
    var index = IndexName.standard.text

    @OptionGroup var source: SourceOptions

    @Option(help: ArgumentHelp("The most documents of one batch.", valueName: "n"))
    var batch = Limits.operationsPerBatch

    @Option(
        name: .customLong("declare"),
        help: ArgumentHelp(
            "Declare a custom attribute; may be given several times.",
            valueName: "name:type[:default][:multi][:unique]"))
    var declarations: [String] = []

    @Flag(help: "Begin at the beginning, also after an interrupted import.")
    var restart = false

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
        let sources = source.sources(files)
        // A name that is wrong is better known before the first document is sent.
        for source in sources { _ = try source.fingerprint() }
        try source.checkFormats(of: sources)
        let progress = try await connection.withClient { client in
            let index = client.index(name)
            if !keys.isEmpty { try await index.declare(keys) }
            return try await load(sources, into: index)
        }
        try CommandEnd.check(progress.refused == 0 ? .complete : .failed)
    }

    private func load(
        _ sources: [ImportSource], into index: SearchableIndex
    ) async throws -> ImportProgress {
        let session = try await index.startImport(operationLimit: batch)
        let display = ImportDisplay(sources: sources, format: source.format)
        session.onProgress = { display.show($0) }
        session.onRefusal = { display.complain("\($0):\($1)") }
        for source in sources {
            let schema = try await index.schema()
            let reader = try ImportReader(
                source, options: try self.source.options(for: source, schema: schema))
            try await run(reader, in: session, display)
        }
        let progress = try await session.finish()
        display.finish(progress, json: json)
        return progress
    }

    private func run(
        _ reader: ImportReader, in session: ImportSession, _ display: ImportDisplay
    ) async throws {
        let done = restart ? 0 : try session.resumePoint(for: reader.source)
        if done > 0 {
            display.complain(
                "\(reader.source.name): goes on after line \(done); --restart begins anew")
        }
        guard restart else {
            try await session.run(reader)
            return
        }
        try await session.begin(reader.source)
        while let record = try reader.next() {
            try await session.add(record, through: reader.linesConsumed)
        }
    }
}
