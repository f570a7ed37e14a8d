import FresnelClient
import FresnelSystem
import Glibc
import Testing

extension Clusters {
    /// A restore of several indexes of which not all can be made.
    @Suite("Restores of several indexes")
    struct RestoreTests {
        @Test("An index that was not restored is named, with the command that restores only it")
        func rest() async throws {
            try await LiveCluster.with(workers: 1, shards: 1) { cluster in
                try await TemporaryDirectory.with { directory in
                    let store = "\(directory.path)/store"
                    let damaged = try await copy(cluster, to: store)
                    try await LiveCluster.with(workers: 1, shards: 1) { other in
                        try await restore(to: other, from: store, damaged)
                    }
                }
            }
        }

        /// Copies two indexes; returns the path of a segment of the second one.
        private func copy(_ cluster: LiveCluster, to store: String) async throws -> String {
            try await withSearchClient(to: cluster.endpoint) { client in
                _ = try await client.index().index(Samples.documents(0..<50))
                _ = try await client.index(named: "x2").index(Samples.documents(100..<180))
            }
            let storage = DiskStorage()
            try await run(cluster, "create a --store \(store) --new-store --index default")
            let first = try storage.list("\(store)/segments")
            try await run(cluster, "create b --store \(store)")
            let second = try storage.list("\(store)/segments").filter { !first.contains($0) }
            return "\(store)/segments/\(try #require(second.first))"
        }

        private func restore(
            to cluster: LiveCluster, from store: String, _ damaged: String
        ) async throws {
            try flip(damaged)
            let line = "restore b --store \(store)"
            let only = "fresnel snapshot \(line) --index x2"
            let broken = try await run(cluster, line, code: 1)
            #expect(broken.errors.contains("index x2 is not restored: `\(only)`"), "\(broken)")
            try flip(damaged)
            let again = try await run(cluster, line, code: 1)
            #expect(again.errors.contains("there is an index default already"), "\(again)")
            #expect(again.errors.contains("`\(only)` restores what is not there"), "\(again)")
            try await run(cluster, "restore b --store \(store) --index x2")
            let all = try await run(cluster, line, code: 1)
            #expect(all.errors.contains("there are indexes default, x2 already"), "\(all)")
        }

        @discardableResult
        private func run(
            _ cluster: LiveCluster, _ line: String, code: Int32 = 0
        ) async throws -> Program.Run {
            let run = try await Program.shell("fresnel snapshot \(line)", broker: cluster.endpoint)
            #expect(run.code == code, "\(line): \(run)")
            return run
        }

        private func flip(_ path: String) throws {
            let file = try DiskStorage().open(path, create: .never)
            defer { file.close() }
            try file.write([try file.read(at: 100, count: 1)[0] ^ 1], at: 100)
        }
    }
}
