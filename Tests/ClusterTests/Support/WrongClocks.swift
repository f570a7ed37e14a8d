import Foundation
import Testing

/// Wall clocks of a cluster's processes, each of which can be set while it runs.
struct WrongClocks: Sendable {
    static let day = 86_400

    /// What the processes must be started with.
    let variables: [String]
    private let folder: TemporaryDirectory

    /// Starts a cluster in which every clock is right, and lends it to `body` with its clocks.
    static func with(
        workers: Int = 2, shards: Int = 2, replicas: Int = 1,
        _ body: @Sendable (LiveCluster, WrongClocks) async throws -> Void
    ) async throws {
        try await TemporaryDirectory.with { folder in
            // Swift has a C compiler with it.
            let library = "\(folder.path)/wrong-clock.so"
            let run = try await Program.shell(
                "clang -shared -fPIC -O1 -o '\(library)' Tests/Fixtures/wrong-clock.c", broker: "")
            try #require(run.code == 0, "\(run.errors)")
            let clocks = WrongClocks(
                variables: ["LD_PRELOAD=\(library)", "WRONG_CLOCKS=\(folder.path)"], folder: folder)
            try await LiveCluster.with(
                workers: workers, shards: shards, replicas: replicas, variables: clocks.variables
            ) { try await body($0, clocks) }
        }
    }

    /// Sets the clock of a process, and of those that take its place, to so many seconds ahead.
    func set(_ process: String, ahead seconds: Int) throws {
        let file = "\(folder.path)/\(process)"
        // At once, or a process would read half a number.
        try "\(seconds)".write(toFile: file, atomically: true, encoding: .utf8)
    }

    /// Sets it right.
    func mend(_ process: String) throws { try set(process, ahead: 0) }
}
