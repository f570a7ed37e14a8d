import FresnelClient
import FresnelJSON
import FresnelSystem
import Glibc
import Testing

extension Clusters {
    /// Snapshots of real clusters, in a directory and in an S3 bucket.
    @Suite("Snapshots")
    struct SnapshotTests {
        @Test("Copied while it is written to, added to, copied again, and restored elsewhere")
        func directory() async throws {
            try await TemporaryDirectory.with { directory in
                try await Self.tell("\(directory.path)/store", variables: [])
            }
        }

        @Test(
            "The same with an S3 server that compares signatures",
            .enabled(if: S3Service.program != nil))
        func bucket() async throws {
            try await S3Service.with { server in
                try await Self.tell(server.store, variables: server.variables)
            }
        }

        /// What a cluster answered, for comparing.
        private struct Answers: Equatable {
            var digest: String
            var found: Int
            var identifiers: [String]
        }

        private static func answers(
            _ client: SearchClient, of index: String = "default"
        ) async throws -> Answers {
            var request = SearchRequest("** == \"common*\"c")
            request.indexes = [try IndexName(index)]
            let taken = try await Taken(client.search(request))
            #expect(taken.completion.isComplete, "\(taken.completion.shards)")
            return Answers(
                digest: taken.completion.digest,
                found: Int(taken.completion.found), identifiers: taken.identifiers)
        }

        private static func run(
            _ cluster: LiveCluster, _ variables: [String], _ line: String
        ) async throws -> Program.Run {
            let words = variables.map { "'\($0)'" }.joined(separator: " ")
            return try await Program.shell(
                "env \(words) fresnel snapshot \(line)", broker: cluster.endpoint)
        }

        private static func value(_ run: Program.Run, _ place: String) throws -> JSONValue {
            let values = try run.lines.map { try JSONValue(parsing: $0) }
            return try #require(values.compactMap { $0[place] }.first, "\(run.output)")
        }

        private static func tell(_ store: String, variables: [String]) async throws {
            let expected = try await LiveCluster.with(workers: 3, shards: 3, variables: variables) {
                try await copy($0, to: store, variables)
            }
            // Fewer workers, and the same answers.
            try await LiveCluster.with(workers: 2, shards: 6, variables: variables) { cluster in
                try await restore(cluster, from: store, variables, expected)
            }
        }

        private static func copy(
            _ cluster: LiveCluster, to store: String, _ variables: [String]
        ) async throws -> [Answers] {
            try await withSearchClient(to: cluster.endpoint) { client in
                let index = client.index()
                try await index.index(Samples.documents(0..<7500))
                // Enough for segments that are merged no more when little is added.
                async let more: Void = write(7500..<7900, to: index)
                let first = try await run(
                    cluster, variables, "create first --store \(store) --new-store --json")
                #expect(first.code == 0, "\(first.errors)")
                try await more
                let whole = try await answers(client)
                #expect(whole.found == 7900)
                let second = try await run(
                    cluster, variables, "create second --store \(store) --json")
                #expect(second.code == 0, "\(second.errors)")
                try await add(to: cluster, client, store, variables)
                let taken = try await run(cluster, variables, "create third --store \(store)")
                #expect(taken.code == 1 && taken.errors.contains("already"), "\(taken.errors)")
                return [whole, try await answers(client)]
            }
        }

        /// Adds a little and copies again until most was there already.
        ///
        /// Now and then what is added makes a worker merge what is small; then the next does not.
        private static func add(
            to cluster: LiveCluster, _ client: SearchClient, _ store: String, _ variables: [String]
        ) async throws {
            var shares: [(sent: Int64, reused: Int64)] = []
            for round in 0..<4 where !shares.contains(where: { $0.reused > $0.sent }) {
                let first = 7900 + round * 10
                try await client.index().index(Samples.documents(first..<first + 10))
                let name = round == 0 ? "third" : "third-\(round)"
                let made = try await run(
                    cluster, variables, "create \(name) --store \(store) --json")
                #expect(made.code == 0, "\(made.errors)")
                let copied = try value(made, "index")
                shares.append(
                    (
                        copied["bytesSent"]?.integer ?? .max, copied["bytesReused"]?.integer ?? 0
                    ))
            }
            #expect(shares.contains { $0.reused > $0.sent }, "\(shares)")
        }

        private static func write(
            _ range: Range<Int>, to index: SearchableIndex
        ) async throws {
            for start in stride(from: range.lowerBound, to: range.upperBound, by: 20) {
                try await index.index(Samples.documents(start..<start + 20))
            }
        }

        private static func restore(
            _ cluster: LiveCluster, from store: String, _ variables: [String],
            _ expected: [Answers]
        ) async throws {
            let listed = try await run(cluster, variables, "list --store \(store)")
            #expect(listed.code == 0 && listed.lines.count >= 3, "\(listed.output)")
            for name in ["first", "second", "third"] {
                let verified = try await run(
                    cluster, variables, "verify \(name) --store \(store)")
                #expect(verified.code == 0, "\(verified.output)\(verified.errors)")
            }
            let restored = try await run(cluster, variables, "restore second --store \(store)")
            #expect(restored.code == 0, "\(restored.errors)")
            let again = try await run(
                cluster, variables,
                "restore third --store \(store) --index default --as later --replicas 2")
            #expect(again.code == 0, "\(again.errors)")
            #expect(restored.output.contains("one copy") && again.output.contains("2 copies"))
            let many = try await run(cluster, variables, "restore first --store x --replicas 4")
            #expect(many.code == 2 && many.errors.contains("from 1 to 3"), "\(many.errors)")
            let refused = try await run(cluster, variables, "restore third --store \(store)")
            #expect(refused.code == 1 && refused.errors.contains("there is an index default"))
            try await withSearchClient(to: cluster.endpoint) { client in
                #expect(try await answers(client) == expected[0])
                #expect(try await answers(client, of: "later").found == 7910)
                let status = try JSONValue(
                    parsing: try await cluster.run(["status", "--json"]).output)
                let copies = status["indexes"]?.array?.map { index in
                    index["shards"]?.array?.first?["replicas"]?.array?.count ?? 0
                }
                #expect(copies == [0, 2], "only the index that shall have two copies has them")
                let first = try await run(
                    cluster, variables, "restore first --store \(store) --as early")
                #expect(first.code == 0, "\(first.errors)")
                // What was acknowledged before is in it.
                #expect(try await answers(client, of: "early").found >= 7500)
                // It is an index like any other.
                try await client.index(named: "later").index(Samples.documents(7910..<7920))
                #expect(try await answers(client, of: "later").found == 7920)
            }
            let copied = try await run(
                cluster, variables, "create fourth --store \(store) --index default --json")
            #expect(copied.code == 0, "\(copied.errors)")
        }

        @Test("What is damaged, missing, unknown or not a store is named, and nothing is made")
        func badInput() async throws {
            try await LiveCluster.with(workers: 2, shards: 2) { cluster in
                try await TemporaryDirectory.with { directory in
                    let store = "\(directory.path)/store"
                    let none = try await Self.run(cluster, [], "create one --store \(store)")
                    #expect(none.code == 1 && none.errors.contains("no index"), "\(none.errors)")
                    try await withSearchClient(to: cluster.endpoint) { client in
                        _ = try await client.index().index(Samples.documents(0..<100))
                    }
                    let cases = [
                        ("list --store \(directory.path)", 1, "is no store of snapshots"),
                        ("create Big --store \(store)", 2, "no name of a snapshot"),
                        ("create one --store s3://X", 2, "a bucket's name is"),
                        ("create one --store /proc/none --new-store", 1, "/proc/none"),
                        ("create one --store \(store)", 1, "is the volume mounted"),
                        ("create one --store \(store)/a/b --new-store", 1, "there is no directory"),
                        ("create one --store \(store) --index nope --new-store", 1, "no index"),
                    ]
                    for (line, code, text) in cases {
                        let run = try await Self.run(cluster, [], line)
                        #expect(run.code == code && run.errors.contains(text), "\(line): \(run)")
                    }
                    let made = try await Self.run(
                        cluster, [], "create one --store \(store) --new-store")
                    #expect(made.code == 0, "\(made.errors)")
                    let twice = try await Self.run(
                        cluster, [], "create two --store \(store) --new-store")
                    #expect(twice.code == 1 && twice.errors.contains("is a store already"))
                    let unknown = try await Self.run(cluster, [], "restore two --store \(store)")
                    #expect(unknown.code == 1 && unknown.errors.contains("there are one"))
                    try await Self.damage(store, cluster)
                }
            }
        }

        @Test("X-10: what a restore left on a worker that died is removed, and the next one works")
        func cutOff() async throws {
            try await LiveCluster.with(workers: 2, shards: 2) { cluster in
                try await TemporaryDirectory.with { directory in
                    let store = "\(directory.path)/store"
                    try await withSearchClient(to: cluster.endpoint) { client in
                        _ = try await client.index().index(Samples.documents(0..<200))
                        let made = try await Self.run(
                            cluster, [], "create one --store \(store) --new-store")
                        #expect(made.code == 0, "\(made.errors)")
                        try await Self.cutOff(cluster, client, store)
                    }
                }
            }
        }

        private static func cutOff(
            _ cluster: LiveCluster, _ client: SearchClient, _ store: String
        ) async throws {
            // One worker makes its shard, the other one does nothing.
            try cluster.signal("worker-2", SIGSTOP)
            let line = "restore one --store \(store) --as other"
            async let broken = run(cluster, [], line)
            try await eventually("worker-1 has made its shard") {
                try leftovers(of: "worker-1", cluster).count == 1
            }
            try cluster.kill("worker-1")
            let failed = try await broken
            #expect(failed.code != 0 && failed.errors.contains("went away"), "\(failed.errors)")
            try cluster.signal("worker-2", SIGCONT)
            try await cluster.waitUntilWhole(client)
            for worker in ["worker-1", "worker-2"] {
                try await eventually("\(worker) has removed what was left") {
                    try leftovers(of: worker, cluster).isEmpty
                }
            }
            #expect(cluster.process.errors.text.contains("a restore that was cut off left it"))
            let again = try await run(cluster, [], line)
            #expect(again.code == 0, "\(again.errors)")
            #expect(try await answers(client, of: "other").found == 200)
        }

        /// The directories of replicas that a worker made from a store and nobody assigned.
        private static func leftovers(
            of worker: String, _ cluster: LiveCluster
        ) throws -> [String] {
            let index = "\(cluster.directory)/workers/\(worker.suffix(1))/indexes/other"
            let storage = DiskStorage()
            guard try storage.isDirectory(index) else { return [] }
            return try storage.list(index).filter { $0.hasSuffix(".restored") }
        }

        /// A segment with a flipped bit: verify names it, restore refuses it whole.
        private static func damage(_ store: String, _ cluster: LiveCluster) async throws {
            let storage = DiskStorage()
            let folder = "\(store)/segments"
            let name = try #require(try storage.list(folder).first { $0.hasSuffix(".seg") })
            let file = try storage.open("\(folder)/\(name)", create: .never)
            let bytes = try file.read(at: 100, count: 1)
            try file.write([bytes[0] ^ 1], at: 100)
            file.close()
            let verified = try await run(cluster, [], "verify one --store \(store)")
            #expect(verified.code == 1 && verified.output.contains(name), "\(verified.output)")
            try storage.makeDirectory("\(store)/away")
            let other = try #require(try storage.list("\(store)/manifests").first)
            let place = "\(store)/manifests/\(other)"
            try storage.rename(place, to: "\(store)/away/\(other)")
            try storage.makeDirectory(place)
            let both = try await run(cluster, [], "verify one --store \(store)")
            #expect(both.code == 1 && both.output.contains(name), "\(both.output)")
            #expect(both.output.contains(other) && both.output.contains("2 broken"))
            try storage.removeDirectory(place, with: [])
            try storage.rename("\(store)/away/\(other)", to: place)
            let line = "restore one --store \(store) --as other"
            let restored = try await run(cluster, [], line)
            #expect(restored.code == 1 && restored.errors.contains(name), "\(restored.errors)")
            let status = try await cluster.run(["status", "--json"])
            let names = try JSONValue(parsing: status.output)["indexes"]?.array?
                .compactMap { $0["name"]?.string }
            #expect(names == ["default"])
            let repaired = try storage.open("\(folder)/\(name)", create: .never)
            try repaired.write(bytes, at: 100)
            repaired.close()
            let again = try await run(cluster, [], line)
            #expect(again.code == 0, "\(again.errors)")
            // Another store under the same path is found out by its own file.
            let mark = "\(store)/fresnel-store"
            try storage.remove(mark)
            let gone = try await run(cluster, [], "list --store \(store)")
            #expect(gone.code == 1 && gone.errors.contains("is no store"), "\(gone.errors)")
        }
    }
}
