import ArgumentParser
import Foundation
import FresnelClient
import FresnelLoad
import FresnelModel

/// Clusters that a load starts for itself.
struct LoadClusterOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Start clusters of so many workers for the load, one after the other, instead of asking \
            a running one; needs --source.
            """, valueName: "a,b,c"))
    var workers: String?

    @Option(
        help: ArgumentHelp(
            "Documents for such clusters, in any format that fresnel index reads.",
            valueName: "file"), completion: .file())
    var source: String?

    @Option(
        help: ArgumentHelp(
            "ndjson, csv or deb822 (default: what the name of --source says).",
            valueName: "format"))
    var sourceFormat: ImportFormat?

    @Option(
        name: .customLong("map"),
        help: ArgumentHelp(
            "As of fresnel index, for columns of --source.", valueName: "column=attribute"))
    var mappings: [String] = []

    @Option(
        help: ArgumentHelp(
            "Take so many documents of --source, for each a row of clusters (default: all).",
            valueName: "a,b,c"))
    var documents: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Shards in such clusters, the same in all (default: the most workers).",
            valueName: "s"))
    var shards: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Copies of every shard in such clusters, 1 to 3.", valueName: "r"))
    var replicas = 1

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            How much the broker of such a cluster may keep of its answers to tell them again; 0 \
            measures the search alone (default: what a broker takes, \
            \(Limits.keptAnswersBytes >> 20)).
            """, valueName: "MiB"))
    var keptAnswers: String?

    @Option(
        help: ArgumentHelp(
            """
            What is done to such a cluster: kill, stop, continue or start broker or worker-1, as \
            in 'at 20s kill worker-2; at 30s start worker-2'.
            """, valueName: "script"))
    var inject: String?

    /// What was asked for, checked.
    struct Wanted {
        let workers: [Int]
        let documents: [Int?]
        let source: ImportSource
        let layout: SourceOptions
        let shards: Int
        let replicas: Int
        /// In MiB.
        let keptAnswers: Int
        let script: FaultScript?
    }

    /// The clusters; nil where a running one is asked.
    func wanted(_ plan: LoadPlan, broker: String?) throws -> Wanted? {
        guard let workers else {
            if let keptAnswers {
                throw CommandError.usage(
                    "--kept-answers is for clusters that the load starts, and this broker runs "
                        + "already; start that one with --kept-answers \(keptAnswers), or give "
                        + "--workers 2 too")
            }
            let others = [
                ("--source", source != nil), ("--documents", documents != nil),
                ("--shards", shards != nil), ("--replicas", replicas != 1),
                ("--inject", inject != nil),
            ]
            if let (flag, _) = others.first(where: \.1) {
                throw CommandError.usage(
                    "\(flag) is for clusters that the load starts; give --workers 2 too")
            }
            return nil
        }
        guard broker == nil else {
            throw CommandError.usage("--workers starts clusters, so --broker has no place")
        }
        guard let source else {
            throw CommandError.usage("--workers needs documents; give --source FILE")
        }
        let counts = try numbers(workers, "--workers", in: 1...64)
        let file = ImportSource.file(source)
        var layout = try SourceOptions.parse([])
        (layout.format, layout.mappings) = (sourceFormat, mappings)
        layout.formatFlag = "--source-format"
        // A name that is wrong is better known before the first process is started.
        _ = try file.fingerprint()
        try layout.checkFormats(of: [file])
        try LoadFiles.checkReadableAgain(
            source, "it is read before a cluster is filled from it; write it to a file")
        let replicas = try checked(self.replicas, "--replicas", in: 1...Limits.replicasPerShard)
        try check(replicas, fit: counts)
        return Wanted(
            workers: counts,
            documents: try documents.map {
                try numbers($0, "--documents", in: 1...1_000_000_000).map(Optional.some)
            } ?? [nil],
            source: file, layout: layout,
            shards: try checked(
                shards ?? counts.max() ?? 1, "--shards", in: 1...Limits.shardsPerIndex),
            replicas: replicas, keptAnswers: try checkedKeptAnswers(),
            script: try script(plan, workers: counts.min() ?? 1))
    }

    /// A worker holds one copy of a shard: with fewer workers than copies other clusters would be
    /// compared than were asked for.
    private func check(_ replicas: Int, fit counts: [Int]) throws(CommandError) {
        guard let least = counts.min(), least < replicas else { return }
        let place = counts.count > 1 ? " (the smallest of --workers)" : ""
        throw .usage(
            "--replicas \(replicas) needs \(replicas) workers, since each holds one copy of a "
                + "shard, and there would be \(Figure.count(least, "worker"))\(place); give "
                + "--replicas \(least) or more workers")
    }

    /// As the broker would read it: the environment and the settings file may name it, too.
    private func checkedKeptAnswers() throws(CommandError) -> Int {
        try Settings(
            flags: [.brokerKeptAnswers: keptAnswers], file: nil,
            environment: ProcessInfo.processInfo.environment
        ).keptAnswers()
    }

    private func script(_ plan: LoadPlan, workers: Int) throws -> FaultScript? {
        guard let inject else { return nil }
        guard let seconds = plan.seconds else {
            throw CommandError.usage(
                "--inject needs one measurement: --rate, --ramp, --clients or --replay")
        }
        do throws(FaultScriptError) {
            return try FaultScript(parsing: inject, workers: workers, seconds: seconds)
        } catch {
            throw CommandError.usage("--inject: \(error)")
        }
    }

    private func numbers(
        _ text: String, _ flag: String, in range: ClosedRange<Int>
    ) throws -> [Int] {
        let numbers = try text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            guard let number = Int(part) else {
                throw CommandError.usage("\(flag): \"\(part)\" is no number")
            }
            return try checked(number, flag, in: range)
        }
        guard Set(numbers).count == numbers.count else {
            throw CommandError.usage("\(flag) \(text): the same number stands there twice")
        }
        return numbers
    }

    private func checked(
        _ number: Int, _ flag: String, in range: ClosedRange<Int>
    ) throws -> Int {
        guard range.contains(number) else {
            throw CommandError.usage(
                "\(flag) must lie in \(range.lowerBound)...\(range.upperBound), not \(number)")
        }
        return number
    }
}
