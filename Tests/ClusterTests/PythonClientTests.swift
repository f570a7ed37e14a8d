import Foundation
import Testing

extension Clusters {
    /// A client in another language, written from the protocol's document alone.
    @Suite(
        "A client in Python",
        .enabled(if: Python.isThere, "no pyzmq here: `apt install python3-zmq` runs it"))
    struct PythonClientTests {
        @Test("It asks, gets what the program gets, and is told what is wrong with a query")
        func asks() async throws {
            try await LiveCluster.with(workers: 2, shards: 4) { cluster in
                let put = try await cluster.run(["index", "-"], input: Samples.lines(0..<300))
                #expect(put.code == 0, "\(put.errors)")
                let ask = "\(Python.path) Examples/python/fresnel_ask.py"
                let run = try await Program.shell(
                    "\(ask) 'title == \"common*\"c' 'title == \"*d00007\"' --limit 250",
                    broker: cluster.endpoint)
                #expect(run.code == 0, "\(run.errors)")
                #expect(
                    run.lines.prefix(2) == [
                        "300 found, 250 delivered, complete: title == \"common*\"c",
                        "1 found, 1 delivered, complete: title == \"*d00007\"",
                    ])
                let wrong = try await Program.shell("\(ask) 'title ==='", broker: cluster.endpoint)
                #expect(wrong.code == 1 && wrong.errors.contains("-2002"), "\(wrong.errors)")
            }
        }
    }
}

/// Debian's own Python, where its packages are.
private enum Python {
    static let path = "/usr/bin/python3"

    static let isThere =
        FileManager.default.isExecutableFile(atPath: path)
        && FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/zmq")
}
