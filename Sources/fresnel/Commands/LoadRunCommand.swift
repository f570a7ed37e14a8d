import ArgumentParser
import FresnelClient
import FresnelJSON
import FresnelLoad
import FresnelModel
import FresnelSystem

/// `fresnel load` without a further word.
struct LoadRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Ask a cluster at a planned rate and measure the moments of every answer.",
        discussion: """
            Without a file the standard workload is asked: words, pairs, prefixes, parts of words \
            and phrases, drawn by a seed from the index's own texts. A run whose generator could \
            not keep up, or that got a wrong answer, is marked invalid and ends with exit code 1; \
            one that missed the objective of --slo with 3.

              fresnel load --rate 200 --duration 30s --report load.html
              fresnel load mix.json --steps 100,200,400 --json-report steps.json
              fresnel load --saturate --slo 'p99<50ms,errors<1%'
              fresnel load --workers 1,2,4 --source shop.ndjson --saturate --report scaling.html
              fresnel load --workers 3 --replicas 2 --source shop.ndjson \
                --inject 'at 10s kill worker-2; at 20s start worker-2'
            """)

    @Argument(help: "A workload file (default: the standard workload).")
    var workload: String?

    @OptionGroup var rates: LoadRateOptions

    @OptionGroup var clusters: LoadClusterOptions

    @Option(help: "The index to ask (default: all).")
    var index: [String] = []

    @Option(help: "Attributes whose texts words are drawn from, parted by commas.")
    var attributes = "title,contentDescription,keywords"

    @Option(help: "Draws arrivals, classes and terms; the same number gives the same requests.")
    var seed: UInt64 = 1

    @Option(help: "Connections that requests are spread over.")
    var connections = 2

    @Option(help: "Measured and thrown away before.")
    var warmup = "2s"

    @Option(help: "How many of 100 answers the reference matcher looks at, hit by hit.")
    var checked = 1.0

    @Option(help: "Of how many of 100 queries the broker is asked to say that it has taken them.")
    var accepted = 10.0

    @Option(help: "Where the report for people goes: one HTML file.", completion: .file())
    var report: String?

    @Option(help: "Where the report for programs goes.", completion: .file())
    var jsonReport: String?

    @OptionGroup var output: FormatOptions

    @OptionGroup var connection: ClientOptions

    func run() async throws {
        let stream = try rates.stream()
        guard stream == nil || workload == nil else {
            throw CommandError.usage("--replay brings its own queries, so no workload has a place")
        }
        let plan = try rates.plan(stream)
        let objective = try rates.objective()
        var settings = try settings()
        if let stream, let name = rates.replay { settings.workload = stream.workload(named: name) }
        try checkReports()
        let wanted = try clusters.wanted(plan, broker: connection.broker)
        let measuring = LoadMeasuring(
            plan: plan, settings: settings, connections: connections,
            isInsecure: connection.insecure, display: LoadDisplay(isQuiet: output.isJSON))
        let result: LoadReport
        if let wanted {
            result = try await LoadInterrupt.during {
                try await LoadScaling(measuring: measuring, wanted: wanted)
                    .report(objective: objective)
            }
        } else {
            result = try await measuring.report(connection.broker, objective: objective)
        }
        if output.isJSON {
            Streams.say(result.json.serialized())
        } else {
            for line in LoadText.lines(result) { Streams.say(line) }
        }
        try write(result)
        guard result.isValid else { throw CommandError.failed(LoadText.invalid(result)) }
        guard LoadText.holds(result, objective) else {
            Streams.complain("missed the objective \(objective?.description ?? "p99<50ms")")
            return try CommandEnd.check(.incomplete)
        }
    }

    private func settings() throws -> LoadSession.Settings {
        guard (1...64).contains(connections) else {
            throw CommandError.usage("--connections must lie in 1...64, not \(connections)")
        }
        guard (0...100).contains(checked) else {
            throw CommandError.usage("--checked is a percentage in 0...100, not \(checked)")
        }
        guard (0...100).contains(accepted) else {
            throw CommandError.usage("--accepted is a percentage in 0...100, not \(accepted)")
        }
        var settings = LoadSession.Settings(workload: try LoadFiles.workload(workload))
        settings.indexes = try index.map { try IndexName($0) }
        settings.attributes = attributes.split(separator: ",").map(String.init)
        settings.seed = seed
        settings.checkedShare = checked / 100
        settings.acceptedShare = accepted / 100
        settings.warmupSeconds = try DurationText.parse(warmup, flag: "--warmup").inSeconds
        return settings
    }

    private func checkReports() throws {
        if let report { try LoadFiles.checkWritable(report, "--report") }
        if let jsonReport { try LoadFiles.checkWritable(jsonReport, "--json-report") }
        guard report == nil || report != jsonReport else {
            throw CommandError.usage("--report and --json-report name the same file")
        }
    }

    private func write(_ result: LoadReport) throws {
        if let report { try LoadFiles.write(try ReportPage.html(result), to: report) }
        if let jsonReport { try LoadFiles.write(result.json.serialized() + "\n", to: jsonReport) }
    }
}
