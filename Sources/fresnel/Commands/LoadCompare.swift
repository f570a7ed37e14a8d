import ArgumentParser
import FresnelJSON
import FresnelLoad

/// `fresnel load compare`.
struct LoadCompare: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Compare two reports of a load, for people and for CI.",
        discussion: """
            Both are files of --json-report. A figure counts as worse if the whole interval of \
            95 % confidence of its ratio lies on the wrong side of the tolerance. Exit code 0 if \
            nothing is worse, 1 if something is.
            """)

    @Argument(help: "The report from before.", completion: .file(extensions: ["json"]))
    var before: String

    @Argument(help: "The report from after.", completion: .file(extensions: ["json"]))
    var after: String

    @Option(help: "How much worse is not worth mentioning, in percent.")
    var tolerance = 5.0

    @OptionGroup var output: FormatOptions

    func run() throws {
        let comparison: Comparison
        do throws(ComparisonError) {
            comparison = try Comparison(try read(before), try read(after))
        } catch {
            throw CommandError.usage("\(before) and \(after): \(error)")
        }
        let isWorse = comparison.isWorse(beyond: tolerance / 100)
        if output.isJSON {
            Streams.say(LoadText.json(comparison, isWorse: isWorse).serialized())
        } else {
            for line in LoadText.lines(comparison) { Streams.say(line) }
        }
        try CommandEnd.check(isWorse ? .failed : .complete)
    }

    private func read(_ path: String) throws(ComparisonError) -> JSONValue {
        do {
            return try JSONValue(parsing: try LoadFiles.read(path))
        } catch {
            throw .notAReport
        }
    }
}
