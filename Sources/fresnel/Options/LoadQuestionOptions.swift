import ArgumentParser
import FresnelLoad
import FresnelModel

/// What a load asks, whichever process does.
struct LoadQuestionOptions: ParsableArguments {
    @Argument(help: "A workload file (default: the standard workload).")
    var workload: String?

    @Option(help: "The index to ask (default: all).")
    var index: [String] = []

    @Option(help: "Attributes whose texts words are drawn from, parted by commas.")
    var attributes = "title,contentDescription,keywords"

    @Option(help: "Draws arrivals, classes and terms; the same number gives the same requests.")
    var seed: UInt64 = 1

    @Option(help: "How many of 100 answers the reference matcher looks at, hit by hit.")
    var checked = 1.0

    @Option(help: "Of how many of 100 queries the broker is asked to say that it has taken them.")
    var accepted = 10.0

    @Option(
        help: """
            Requests at recorded times: what fresnel load record wrote, with its queries, or \
            milliseconds after the beginning, one a line, for queries of the workload.
            """)
    var replay: String?

    /// What is the same in all measurements.
    func settings() throws -> LoadSession.Settings {
        for (flag, share) in [("--checked", checked), ("--accepted", accepted)]
        where !(0...100).contains(share) {
            throw CommandError.usage("\(flag) is a percentage in 0...100, not \(share)")
        }
        let stream = try replay.flatMap(LoadFiles.stream)
        guard stream == nil || workload == nil else {
            throw CommandError.usage("--replay brings its own queries, so no workload has a place")
        }
        var settings = LoadSession.Settings(
            workload: try stream?.workload(named: replay ?? "") ?? LoadFiles.workload(workload))
        if let replay { settings.replayed = try stream?.offsets ?? LoadFiles.offsets(replay) }
        settings.indexes = try index.map { try IndexName($0) }
        settings.attributes = attributes.split(separator: ",").map(String.init)
        settings.seed = seed
        settings.checkedShare = checked / 100
        settings.acceptedShare = accepted / 100
        return settings
    }

    /// The same on the command line of another process of this program.
    var arguments: [String] {
        var arguments = [
            "--attributes", attributes, "--seed", "\(seed)", "--checked", "\(checked)",
            "--accepted", "\(accepted)",
        ]
        for name in index { arguments += ["--index=\(name)"] }
        if let replay { arguments += ["--replay=\(replay)"] }
        if let workload { arguments += ["--", workload] }
        return arguments
    }
}
