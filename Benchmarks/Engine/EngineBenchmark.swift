import ArgumentParser
import BenchmarkWorkload
import FresnelIndex
import FresnelModel
import Meter

/// Measures the engine alone: one shard, one thread, in process.
@main
struct EngineBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fresnel-bench-engine",
        abstract: "Processor time, instructions and allocations of each class of a workload.")

    @Option(help: "The documents: NDJSON, unpacked.")
    var documents: String

    @Option(help: "The queries: one JSON object a line with class, cs, limit and expect.")
    var workload: String

    @Option(help: "Where the index is kept; one that is there is used.")
    var index: String

    @Option(help: "The name of the catalogue in the files of peers and baselines.")
    var name: String

    @Option(help: "What peers need.")
    var peers = "Benchmarks/peers.json"

    @Option(help: "What was needed when it was recorded.")
    var baselines = "Benchmarks/baselines.json"

    @Option(help: "A file of classes and their instructions, to be recorded or checked alone.")
    var instructions: String?

    @Option(help: "A folder to write a made-up catalogue and its workload to, and nothing else.")
    var sample: String?

    @Option(help: "Only these classes, parted by commas.")
    var classes = ""

    @Option(help: "How often each query runs; its best time counts.")
    var runs = 5

    @Option(help: "A file to write the time of each query to: class, nanoseconds, query.")
    var each: String?

    @Flag(help: "Keep the segments that the merge policy leaves, instead of one.")
    var segmented = false

    @Flag(help: "Fail when allocations grew by more than a tenth.")
    var check = false

    @Flag(help: "Write the allocations down as the new baseline.")
    var record = false

    @Flag(help: "Fail when an answer is another than the workload expects.")
    var exact = false

    @Flag(help: "Skip the comparison with the expected counts.")
    var unchecked = false

    @Flag(help: "Print the bytes of each section of the segments.")
    var sizes = false

    func run() throws {
        if let sample {
            var catalogue = SampleCatalogue(seed: 1)
            let workload = catalogue.workload(queries: Self.simulatedQueries)
            let written = (
                documents: catalogue.documents(areWritten: true),
                workload: SampleCatalogue.ignoringAccents(workload)
            )
            try TextLines.write(catalogue.documents(), to: "\(sample)/sample.ndjson")
            try TextLines.write(workload, to: "\(sample)/sample.workload.jsonl")
            try TextLines.write(written.documents, to: "\(sample)/sample-written.ndjson")
            return try TextLines.write(
                written.workload, to: "\(sample)/sample-written.workload.jsonl")
        }
        if let instructions { return try compareInstructions(instructions) }
        let workload = try Workload(path: workload)
        let chosen = try workload.classes(named: classes)
        let catalogue = try Catalogue(
            directory: index, documents: documents, hasDays: workload.hasDays,
            isMerged: !segmented)
        let runner = QueryRunner(targets: catalogue.targets, schema: catalogue.schema)
        if meter_is_simulated() != 0 { return try countInstructions(chosen, runner) }
        print(Self.sentence(about: catalogue))
        if sizes { print(catalogue.sizesBySection) }
        let peers = try PeerNumbers(path: peers, catalogue: name)
        print(peers.sentence)
        print(Self.size(of: catalogue, beside: peers))
        print("Q5~ and so on: without the exact count; Q11#: numbers of documents, no hits")
        let queries = chosen.flatMap(\.queries)
        let wrong = unchecked ? 0 : try Self.wrongAnswers(queries, AnswerCheck(runner: runner))
        let verdict = Workload.sentence(wrong: wrong, of: queries.count)
        guard !exact || wrong == 0 else { throw BenchmarkError.wrongAnswer(verdict) }
        if !unchecked { print(verdict) }
        print(Table.head)
        var allocations: [String: Double] = [:]
        var lines: [String] = []
        for (name, queries) in chosen {
            let measured = try Measurement(name, queries, runs: runs) { search in
                _ = try runner.answer(search)
            }
            allocations[name] = measured.allocations
            lines += measured.each.map { "\(name)\t\($0.nanoseconds)\t\($0.query)" }
            print(Table.row(measured, peers[name]))
            try printVariants(name, queries, runner, peers[name])
        }
        let (resident, files) = (TextLines.kilobytes("VmRSS"), TextLines.kilobytes("RssFile"))
        print("resident: \(resident) kB, of files \(files) kB")
        // Once more, where it is not overlooked: times of wrong answers mean little.
        if wrong > 0 { print(verdict) }
        if let each { try TextLines.write(lines.joined(separator: "\n") + "\n", to: each) }
        try compare(allocations)
    }

    /// The same class as peers answer it that leave something out.
    private func printVariants(
        _ name: String, _ queries: [WorkloadQuery], _ runner: QueryRunner, _ peer: PeerNumbers.Best?
    ) throws {
        if QueryRunner.mayLeaveCount(name) {
            let measured = try Measurement("\(name)~", queries, runs: runs) { search in
                _ = try runner.answer(search, countsAll: false)
            }
            print(Table.row(measured, peer))
        }
        if name == "Q11" {
            let measured = try Measurement("Q11#", queries, runs: runs) { search in
                _ = try runner.collect(search)
            }
            print(Table.row(measured, peer))
        }
    }

    /// Checks every query, says of some answers how they are others than expected, and counts them.
    private static func wrongAnswers(
        _ queries: [WorkloadQuery], _ check: AnswerCheck
    ) throws -> Int {
        var wrong = 0
        for query in queries {
            do {
                try check.check(query)
            } catch let error as BenchmarkError {
                wrong += 1
                if wrong <= 3 { print("\(query.name): \(error)") }
            }
        }
        return wrong
    }

    /// Lines of a class and the instructions of its counted queries together.
    private func compareInstructions(_ path: String) throws {
        var figures: [String: Double] = [:]
        let text = String(decoding: try TextLines.read(path), as: UTF8.self)
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ")
            guard parts.count == 2, let count = Double(parts[1]) else { continue }
            figures[String(parts[0])] = count / Double(Self.simulatedQueries)
        }
        for (name, count) in figures.sorted(by: {
            Workload.number($0.key) < Workload.number($1.key)
        }) {
            print("\(name): \(Int(count)) instructions a query")
        }
        try compare(figures, "instructions")
    }

    private func compare(_ figures: [String: Double], _ figure: String = "allocations") throws {
        var baselines = try Baselines(path: baselines)
        if record { return try baselines.record(figure, name, figures) }
        guard check else { return }
        let complaints = baselines.complaints(
            figure, name, figures, isWhole: classes.isEmpty)
        guard complaints.isEmpty else {
            throw BenchmarkError.wrongAnswer(complaints.joined(separator: "\n"))
        }
    }

    /// The first queries of every class under callgrind, which writes a file for each class.
    private func countInstructions(
        _ classes: [(name: String, queries: [WorkloadQuery])], _ runner: QueryRunner
    ) throws {
        for (name, queries) in classes {
            let searches = queries.prefix(Self.simulatedQueries).map { QueryRunner.search($0) }
            // Once before, so that what is made once is not counted.
            _ = try searches.first.map { try runner.answer($0) }
            meter_begin_instructions()
            for search in searches { _ = try runner.answer(search) }
            meter_end_instructions(Int32(Workload.number(name)))
        }
    }

    /// Queries of a class that are counted: a simulated processor is slow.
    static let simulatedQueries = 40

    /// The index without the documents that it stores, as peers store none, times each peer's.
    private static func size(of catalogue: Catalogue, beside peers: PeerNumbers) -> String {
        let bytes = Double(catalogue.byteCount - catalogue.storedByteCount)
        let times = peers.indexBytes.map { peer, theirs in
            "\(Table.short(bytes / theirs)) times \(peer)'s (\(Table.short(theirs / 1e6)) MB)"
        }
        return (["index without documents: \(Table.short(bytes / 1e6)) MB"] + times)
            .joined(separator: ", ")
    }

    private static func sentence(about catalogue: Catalogue) -> String {
        let segments = catalogue.replica.snapshot.segments.count
        let bytes = catalogue.byteCount
        var text = "\(catalogue.documentCount) documents, \(segments) segments, \(bytes) bytes"
        text += ", \(bytes / max(1, catalogue.documentCount)) a document"
        if let seconds = catalogue.buildSeconds {
            let rate = Int(Double(catalogue.documentCount) / seconds)
            text += "; built in \(Table.short(seconds)) s of one processor: \(rate) documents/s"
        }
        return text
    }
}
