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
            nothing is worse, 1 if something is, 2 if a file cannot be read or is damaged, or the \
            reports asked different questions: another workload, plan, objective or seed, other \
            workers, shards or documents, or measurements that only one of them has. Rates that \
            one search tried and another did not are named, and their limits compared. --force \
            compares what both have all the same.
            """)

    @Argument(help: "The report from before.", completion: .file(extensions: ["json"]))
    var before: String

    @Argument(help: "The report from after.", completion: .file(extensions: ["json"]))
    var after: String

    @Option(help: "How much worse is not worth mentioning, in percent.")
    var tolerance = 5.0

    @Flag(help: "Compare also what asked different questions.")
    var force = false

    @OptionGroup var output: FormatOptions

    func validate() throws {
        guard (0...1000).contains(tolerance) else {
            throw ValidationError("--tolerance is a percentage in 0...1000, not \(tolerance)")
        }
    }

    func run() throws {
        let (old, new) = (try read(before), try read(after))
        let comparison: Comparison
        do throws(ComparisonError) {
            comparison = try Comparison(old, new)
        } catch {
            throw CommandError.usage("\(before) and \(after): \(error)")
        }
        for difference in comparison.differences + comparison.remarks {
            Streams.complain(LoadText.line(difference))
        }
        guard force || comparison.differences.isEmpty else {
            throw CommandError.usage(
                "\(before) and \(after) asked different questions, so their figures say nothing "
                    + "about each other; measure again with the same settings, or give --force")
        }
        let isWorse = comparison.isWorse(beyond: tolerance / 100)
        if output.isJSON {
            Streams.say(LoadText.json(comparison, isWorse: isWorse))
        } else {
            for line in LoadText.lines(comparison) { Streams.say(line) }
        }
        try CommandEnd.check(isWorse ? .failed : .complete)
    }

    private func read(_ path: String) throws(CommandError) -> JSONValue {
        let bytes: [UInt8]
        do throws(WorkloadError) {
            bytes = try LoadFiles.read(path)
        } catch {
            throw .usage("\(error); give files that `fresnel load --json-report FILE` wrote")
        }
        let report: JSONValue
        do throws(JSONError) {
            report = try JSONValue(parsing: bytes)
        } catch {
            throw .usage(
                "\(path) is no JSON, or was cut off: \(error); give files that "
                    + "`fresnel load --json-report FILE` wrote")
        }
        do throws(ComparisonError) {
            try Comparison.check(report)
        } catch {
            throw .usage("\(path): \(error)")
        }
        return report
    }
}
