import ArgumentParser
import FresnelClient

/// How a command finds the cluster.
struct ClientOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The broker (default: FRESNEL_BROKER, else \(Endpoints.clients)).", valueName: "ep"))
    var broker: String?

    @Flag(help: "Connect beyond this machine although nothing is encrypted.")
    var insecure = false

    /// Connects, lends the client to `body`, and closes it afterwards.
    func withClient<Answer>(_ body: (SearchClient) async throws -> Answer) async throws -> Answer {
        try await withSearchClient(
            to: broker, name: "fresnel", allowsPlaintext: insecure, body)
    }
}
