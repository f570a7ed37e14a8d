import FresnelClient
import Foundation
import Glibc
import Testing

extension Clusters {
    /// `fresnel up` and its children.
    @Suite("Supervision")
    struct SupervisionTests {
        @Test(
            "The end of up is the end of its children, also when it is killed", arguments: [15, 9])
        func end(signal: Int32) async throws {
            try await TemporaryDirectory.with { directory in
                let (numbers, code) = try await LiveProcess.with([
                    "up", "--workers", "2", "--data", directory.path, "--listen",
                    "tcp://127.0.0.1:0", "--log-level", "info",
                ]) { process in
                    let isReady = await process.output.first { $0.hasPrefix("ready ") ? true : nil }
                    #expect(isReady == true)
                    let cluster = LiveCluster(process: process, endpoint: "", directory: "")
                    let numbers = ["broker", "worker-1", "worker-2"].compactMap(cluster.number)
                    process.signal(signal)
                    return numbers
                }
                #expect(numbers.count == 3)
                #expect(code == (signal == 15 ? 0 : 128 + 9))
                try await eventually("the children are gone") {
                    numbers.allSatisfy { kill($0, 0) != 0 }
                }
            }
        }

        @Test("Standard output has the line \"ready EP\" and nothing else")
        func readyLine() async throws {
            try await LiveCluster.with { cluster in
                #expect(cluster.process.output.lines == ["ready \(cluster.endpoint)"])
                #expect(cluster.endpoint.hasPrefix("tcp://127.0.0.1:"))
                // Who connects again and again may be given any port above as its own.
                let text = cluster.endpoint.split(separator: ":").last.map(String.init)
                let port = try #require(Int(text ?? ""))
                #expect((10_000..<32_768).contains(port))
            }
        }

        @Test("Processes are called by their roles and names")
        func titles() async throws {
            try await LiveCluster.with { cluster in
                for (role, words) in [
                    ("broker", ["fresnel", "broker"]),
                    ("worker-1", ["fresnel", "worker", "worker-1"]),
                ] {
                    let folder = "/proc/\(try #require(cluster.number(of: role)))"
                    let line = try String(contentsOfFile: "\(folder)/cmdline", encoding: .utf8)
                    let shown = line.split(separator: "\0").map(String.init)
                    #expect(Array(shown.prefix(words.count)) == words)
                    #expect(shown.contains { $0.hasPrefix(cluster.directory) }, "\(shown)")
                    let short = try String(contentsOfFile: "\(folder)/comm", encoding: .utf8)
                    #expect(short == "fresnel-\(words[1])\n")
                }
            }
        }

        /// Whoever holds one of a sibling, keeps its death from being noticed while he lives.
        @Test("No child holds a pipe or a socket of another one")
        func separateChildren() async throws {
            try await LiveCluster.with(workers: 8) { cluster in
                let roles = ["broker"] + (1...8).map { "worker-\($0)" }
                var owners: [String: [String]] = [:]
                for role in roles {
                    let directory = "/proc/\(try #require(cluster.number(of: role)))/fd"
                    let open = try FileManager.default.contentsOfDirectory(atPath: directory)
                    let ends = open.filter { $0 != "2" }.compactMap { number in
                        // It may be closed by now.
                        try? FileManager.default.destinationOfSymbolicLink(
                            atPath: "\(directory)/\(number)")
                    }
                    for end in Set(ends) where end.hasPrefix("pipe:") || end.hasPrefix("socket:") {
                        owners[end, default: []].append(role)
                    }
                }
                #expect(owners.filter { $0.value.count > 1 } == [:])
                #expect(owners.count >= 2 * roles.count)
            }
        }

        @Test("Without --data the documents are kept in a directory that goes away")
        func temporaryData() async throws {
            let (directory, code) = try await LiveProcess.with([
                "up", "--workers", "1", "--listen", "tcp://127.0.0.1:0",
            ]) { process in
                _ = await process.output.first { $0.hasPrefix("ready ") ? true : nil }
                let told = await process.errors.first { line in
                    line.hasPrefix("documents are kept in ") ? line.split(separator: " ")[4] : nil
                }
                return told.map(String.init) ?? ""
            }
            #expect(code == 0)
            #expect(directory.hasPrefix("/"))
            #expect(!FileManager.default.fileExists(atPath: directory))
        }

        @Test("A cluster that cannot start says why and ends with 1")
        func occupied() async throws {
            try await LiveCluster.with(workers: 1) { cluster in
                let run = try await Program.run([
                    "up", "--workers", "1", "--listen", cluster.endpoint,
                ])
                #expect(run.code == 1)
                #expect(run.errors.contains("broker ended with code 1 while starting"))
            }
        }

        @Test("Broker and worker stand alone, too")
        func alone() async throws {
            try await TemporaryDirectory.with { directory in
                let workers = "ipc://\(directory.path)/w"
                let (_, code) = try await LiveProcess.with([
                    "broker", "--data", "\(directory.path)/b", "--listen", "tcp://127.0.0.1:0",
                    "--worker-listen", workers, "--shards", "2",
                ]) { broker in
                    let ready = await broker.output.first { $0.hasPrefix("ready ") ? $0 : nil }
                    let endpoint = String(try #require(ready).dropFirst(6))
                    let (_, code) = try await LiveProcess.with([
                        "worker", "--data", "\(directory.path)/1", "--broker", workers, "--name",
                        "solo",
                    ]) { worker in
                        let isReady = await worker.output.first { $0 == "ready solo" ? true : nil }
                        #expect(isReady == true)
                        let run = try await Program.run(
                            ["index", Project.catalogues[1]], broker: endpoint)
                        #expect(run.code == 0, "\(run.errors)")
                    }
                    #expect(code == 0)
                }
                #expect(code == 0)
            }
        }
    }
}
