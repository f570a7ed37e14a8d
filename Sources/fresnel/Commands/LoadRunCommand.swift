import ArgumentParser
import Foundation
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
            not keep up, or that got a wrong answer, is marked invalid.

              fresnel load --rate 200 --duration 30s --report load.html
              fresnel load mix.json --steps 100,200,400 --json-report steps.json
              fresnel load --saturate --slo 'p99<50ms,errors<1%'
              fresnel load --workers 1,2,4 --source shop.ndjson --saturate --report scaling.html
              fresnel load --workers 3 --replicas 2 --source shop.ndjson \
                --inject 'at 10s kill worker-2; at 20s start worker-2'

            \(ExitStatus.loadTable)
            """)

    @OptionGroup var questions: LoadQuestionOptions

    @OptionGroup var rates: LoadRateOptions

    @OptionGroup var clusters: LoadClusterOptions

    @Option(
        parsing: .unconditional,
        help: "Connections that requests are spread over, in all (default: 2, or --processes).")
    var connections: Int?

    @Option(
        parsing: .unconditional,
        help: "Processes that make the requests together, each its part of the same plan.")
    var processes = 1

    @Option(help: "Measured and thrown away before.")
    var warmup = "2s"

    @Option(help: "What the program was built from, for the report (default: FRESNEL_COMMIT).")
    var commit: String?

    @Option(
        help: "Where the report for people goes: one HTML file; - is the standard output.",
        completion: .file())
    var report: String?

    @Option(
        help: "Where the report for programs goes; - is the standard output.", completion: .file())
    var jsonReport: String?

    @OptionGroup var output: FormatOptions

    @OptionGroup var connection: ClientOptions

    func run() async throws {
        let makers = try makers()
        var settings = try questions.settings()
        settings.warmupSeconds = try DurationText.parse(warmup, flag: "--warmup").inSeconds
        let plan = try rates.plan(
            replaying: questions.replay == nil ? nil : settings.replayed)
        let objective = try rates.objective()
        try checkReports(of: settings)
        let wanted = try clusters.wanted(plan, broker: connection.broker)
        if let wanted {
            if !output.isJSON { Streams.complain("reading \(wanted.source.name)") }
            try LoadDocuments(wanted).check(settings, workload: questions.workload)
        }
        let measuring = LoadMeasuring(
            plan: plan, settings: settings, makers: makers,
            commit: commit ?? ProcessInfo.processInfo.environment["FRESNEL_COMMIT"],
            display: LoadDisplay(isQuiet: output.isJSON))
        let result = try await LoadInterrupt.during { [broker = connection.broker] in
            guard let wanted else {
                return try await measuring.report(broker, objective: objective)
            }
            return try await LoadScaling(measuring: measuring, wanted: wanted)
                .report(objective: objective)
        }
        try tell(result, objective)
    }

    /// Who makes the requests.
    private func makers() throws -> LoadMeasuring.Makers {
        guard (1...64).contains(processes) else {
            throw CommandError.usage("--processes must lie in 1...64, not \(processes)")
        }
        let connections = connections ?? max(2, processes)
        guard (1...64).contains(connections) else {
            throw CommandError.usage("--connections must lie in 1...64, not \(connections)")
        }
        guard connections >= processes else {
            throw CommandError.usage(
                "each of \(processes) processes needs a connection; give --connections "
                    + "\(processes) or more")
        }
        if processes > 1 { try checkReadableByAll() }
        return LoadMeasuring.Makers(
            processes: processes, connections: connections, questions: questions,
            isInsecure: connection.insecure)
    }

    private func tell(_ result: LoadReport, _ objective: Objective?) throws {
        // Files first: where the terminal is gone nothing can be printed any more.
        var unwritten: (any Error)?
        do { try write(result) } catch { unwritten = error }
        if output.isJSON {
            Streams.say(result.json)
        } else {
            // A report on the standard output is alone there.
            let say: (String) -> Void =
                [report, jsonReport].contains("-") ? { Streams.complain($0) } : { Streams.say($0) }
            for line in LoadText.lines(result, columns: Terminal.columns) { say(line) }
        }
        if let unwritten { throw unwritten }
        if let leftovers = result.leftovers { Streams.complain("\(leftovers)") }
        guard result.isValid else { throw CommandError.failed(LoadText.invalid(result)) }
        try CommandEnd.check(result.leftovers == nil ? .complete : .failed)
        guard let complaint = LoadText.complaint(result, objective) else { return }
        Streams.complain(complaint)
        try CommandEnd.check(.incomplete)
    }

    /// Every process reads the requests for itself: what can be read once only is none for several.
    private func checkReadableByAll() throws {
        for path in [questions.workload, questions.replay].compactMap(\.self) {
            try LoadFiles.checkReadableAgain(
                path,
                "\(processes) processes read it; write it to a file, or leave --processes out")
        }
    }

    private func checkReports(of settings: LoadSession.Settings) throws {
        let inputs = inputs(of: settings)
        for (path, flag) in [(report, "--report"), (jsonReport, "--json-report")] {
            guard let path else { continue }
            try LoadFiles.checkWritable(path, flag)
            try LoadFiles.checkApart(path, flag, from: inputs)
        }
        if let report, let jsonReport, LoadFiles.isSame(report, jsonReport) {
            throw CommandError.usage("--report and --json-report name the same file")
        }
        guard !output.isJSON || ![report, jsonReport].contains("-") else {
            throw CommandError.usage("--json writes to the standard output already; name a file")
        }
    }

    /// The files that this load reads, each with what it is.
    private func inputs(of settings: LoadSession.Settings) -> [(what: String, path: String)] {
        var inputs = [
            ("the workload of this load", questions.workload),
            ("the recording of --replay", questions.replay),
            ("the --source of this load", clusters.source),
            (
                "the settings file of this load",
                ProcessInfo.processInfo.environment["FRESNEL_CONFIG"]
            ),
        ].compactMap { what, path in path.map { (what: what, path: $0) } }
        for name in settings.workload.queryFiles {
            inputs.append(
                (
                    "a file of queries that the workload names",
                    LoadFiles.path(of: name, beside: questions.workload ?? "")
                ))
        }
        return inputs.filter { !$0.path.isEmpty }
    }

    private func write(_ result: LoadReport) throws {
        if let report { try LoadFiles.write(try ReportPage.html(result), to: report) }
        if let jsonReport { try LoadFiles.write(result.json.serialized() + "\n", to: jsonReport) }
    }
}
