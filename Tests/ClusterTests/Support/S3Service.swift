import Foundation
import Testing

/// An S3 server in a process of its own (PyPI: moto), which compares every request's signature.
struct S3Service: Sendable {
    /// What names server and credentials in the environment of a process.
    let variables: [String]
    /// The store in its bucket.
    let store = "s3://backups/search"

    /// Where `make` puts it; nil, and a line that says so, when it is not there.
    static let program: String? = {
        let named = ProcessInfo.processInfo.environment["FRESNEL_S3_SERVER"]
        let path = named ?? Project.root + "/.build/s3/bin/moto_server"
        if FileManager.default.isExecutableFile(atPath: path) { return path }
        print("no S3 server at \(path): its tests are skipped; `make s3-server` installs it")
        return nil
    }()

    /// Starts a server with one bucket, lends it to `body`, and ends it.
    static func with(_ body: @Sendable (S3Service) async throws -> Void) async throws {
        let program = try #require(Self.program)
        try await TemporaryDirectory.with { directory in
            _ = try await LiveProcess.with(
                program: "env",
                ["INITIAL_NO_AUTH_ACTION_COUNT=4", program, "-H", "127.0.0.1", "-p", "0"]
            ) { process in
                let mark = "Running on "
                let endpoint = await process.errors.first { line in
                    line.range(of: mark).map { String(line[$0.upperBound...]) }
                }
                let python = (program as NSString).deletingLastPathComponent + "/python"
                let script = "\(python) Tests/Fixtures/s3-bucket.py "
                let url = try #require(endpoint, "the server said: \(process.errors.text)")
                    .trimmingCharacters(in: .whitespaces)
                let run = try await Program.shell(
                    "NO_PROXY=127.0.0.1 " + script + "\(url) backups eu-west-1", broker: "")
                #expect(run.code == 0, "\(run.errors)")
                let file = try directory.write(run.output, to: "credentials")
                try await body(
                    S3Service(variables: [
                        "AWS_SHARED_CREDENTIALS_FILE=\(file)", "AWS_ENDPOINT_URL=\(url)",
                        "AWS_REGION=eu-west-1", "NO_PROXY=127.0.0.1",
                    ]))
            }
        }
    }
}
