import ArgumentParser
import FresnelClient
import FresnelJSON
import FresnelModel
import FresnelQuery
import FresnelSystem
import FresnelWorker

/// `fresnel verify`.
struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prove a data directory, or compare answers with a plain search of a file.",
        discussion: """
            With --data: reads the directory of a worker, or of `fresnel up`, whole while no \
            process uses it. Checksums of every segment and journal record, sequence numbers \
            without a gap, and every index against its own stored documents; prints a digest of \
            what each shard contains, equal for equal replicas, and changes nothing. Exit code 1 \
            when anything is broken, with its path and what to do.

              fresnel verify --data /var/lib/fresnel/workers/1

            With --against: every query is asked twice: the running cluster, and a matcher that \
            looks at each document of the file by itself. Both must find the same identifiers. \
            Index the file first. Exit code 1 when an answer differs, a query is invalid, a line \
            of the file is refused, or there is nothing to compare; 3 when an answer is incomplete.

              fresnel verify --against Examples/candy.ndjson --index candy --queries queries.jsonl
            """)

    @Option(
        help: ArgumentHelp("Prove this data directory.", valueName: "dir"),
        completion: .directory)
    var data: String?

    @Option(
        name: .customLong("against"),
        help: ArgumentHelp(
            "A file that was indexed; may be given several times.", valueName: "file"),
        completion: .file())
    var files: [String] = []

    @Option(
        help: ArgumentHelp(
            "Queries, one a line, as text or as JSON with query or cs; - is the standard input.",
            valueName: "file"),
        completion: .file())
    var queries: String?

    @Option(help: ArgumentHelp("The index.", valueName: "name"))
    var index = IndexName.standard.text

    @OptionGroup var source: SourceOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Take only every n-th query.", valueName: "n"))
    var every = 1

    @Option(help: ArgumentHelp("The instant of $time.now, in ISO 8601.", valueName: "iso"))
    var now: String?

    @Option(help: ArgumentHelp("How long one answer may take.", valueName: "duration"))
    var deadline = "60s"

    @Flag(help: "Print one JSON object a query that differs, and one with the totals.")
    var json = false

    @OptionGroup var connection: ClientOptions

    func validate() throws {
        guard data == nil else {
            guard files.isEmpty, queries == nil else {
                throw ValidationError("--data stands alone, without --against and --queries")
            }
            return
        }
        guard !files.isEmpty else {
            throw ValidationError("give --data, or --against and --queries: --against is missing")
        }
        guard let queries else {
            throw ValidationError("give --data, or --against and --queries: --queries is missing")
        }
        guard (files + [queries]).count(where: { $0 == "-" }) <= 1 else {
            throw ValidationError("- can be given once: the standard input is read once")
        }
        guard every >= 1 else { throw ValidationError("--every must be at least 1, not \(every)") }
    }

    func run() async throws {
        if let data { return try prove(data) }
        guard let queriesFile = queries else { return }
        let name = try IndexName(index)
        let list = source.sources([queriesFile])[0]
        let queries = try QueryFile.queries(in: list).enumerated()
            .filter { $0.offset % every == 0 }.map(\.element)
        guard !queries.isEmpty else {
            throw CommandError.failed("\(list.name) holds no query: nothing was verified")
        }
        try source.checkFormats(of: source.sources(files))
        let context = try context()
        let limit = try DurationText.parse(deadline, flag: "--deadline")
        let status = try await connection.withClient { client in
            let documents = try read(schema: try await client.status().schema(of: name))
            guard documents.count > 0 else { throw nothing(in: documents) }
            let verification = Verification(
                client: client, index: name, documents: documents, context: context,
                deadline: limit)
            return try await verify(queries, verification)
        }
        try CommandEnd.check(status)
    }

    private func prove(_ directory: String) throws {
        let text = ProofText(json: json)
        let report = DirectoryVerifier.verify(directory, now: try context().now) { text.add($0) }
        text.finish(report)
        try CommandEnd.check(report.isSound ? .complete : .failed)
    }

    private func context() throws -> QueryContext {
        guard let now else {
            return QueryContext(now: Timestamp(wallClock: SystemTime().unixSeconds()))
        }
        guard let instant = Timestamp(iso8601: now) else {
            throw CommandError.usage(
                "--now must be a date such as 2026-11-20T15:30:00Z, not \"\(now)\"")
        }
        return QueryContext(now: instant)
    }

    private func read(schema: AttributeSchema) throws -> ReferenceDocuments {
        var documents = ReferenceDocuments(schema: schema)
        try source.checkColumns(of: source.sources(files), schema: schema)
        for source in source.sources(files) {
            let options = try self.source.options(for: source, schema: schema)
            try documents.read(try ImportReader(source, options: options))
        }
        return documents
    }

    private func nothing(in documents: ReferenceDocuments) -> CommandError {
        let reason = documents.refusalText.map { "; \($0)" } ?? ""
        return .failed(
            "\(files.joined(separator: ", ")) gives no document: nothing was verified\(reason)")
    }

    private func verify(
        _ queries: [String], _ verification: Verification
    ) async throws -> ExitStatus {
        var report = VerificationReport(json: json)
        for query in queries {
            report.add(try await verification.verdict(on: query), on: query)
        }
        report.finish(documents: verification.documents)
        return report.status(over: verification.documents)
    }
}
