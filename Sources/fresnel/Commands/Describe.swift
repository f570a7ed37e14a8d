import ArgumentParser
import FresnelClient
import FresnelJSON
import FresnelModel

/// `fresnel describe`.
struct Describe: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show limits, attributes, and the custom keys of a running cluster.",
        discussion: """
            ● is covered by * and **, ◐ by ** alone, ○ must be named. Limits and known attributes \
            need no cluster.

              fresnel describe
            """)

    @OptionGroup var output: FormatOptions

    @OptionGroup var connection: ClientOptions

    func run() async throws {
        var indexes: [ClusterStatus.Index] = []
        do {
            indexes = try await connection.withClient { try await $0.status().indexes }
        } catch let error as SearchError where ExitStatus(error) == .unavailable {
            Streams.complain("no custom keys: \(error.message)")
        }
        if output.isJSON {
            Streams.say(DescriptionText.json(indexes))
        } else {
            for line in DescriptionText.lines(indexes) { Streams.say(line) }
        }
    }
}
