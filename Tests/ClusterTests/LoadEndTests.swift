import Foundation
import FresnelClient
import FresnelJSON
import Glibc
import Testing

extension Clusters {
    /// How `fresnel load` ends before its plan does, and what it refuses to begin.
    @Suite("Ends of a load", .tags(.slow))
    struct LoadEndTests {
        /// What an interrupted load left.
        private struct Left {
            let report: JSONValue
            let page: String
            let errors: String
            let code: Int32
        }

        /// Runs a load and interrupts it when `isDue` says so of a line that it complains.
        private func interrupted(
            _ arguments: [String], in directory: TemporaryDirectory,
            when isDue: @escaping @Sendable (String) -> Bool
        ) async throws -> Left {
            let (json, html) = ("\(directory.path)/r.json", "\(directory.path)/r.html")
            let (errors, code) = try await LiveProcess.with(
                ["load", "--attributes", "title", "--warmup", "0s", "--json-report", json]
                    + ["--report", html] + arguments
            ) { load in
                _ = await load.errors.first { isDue($0) ? $0 : nil }
                load.signal(SIGINT)
                await load.output.waitForEnd()
                await load.errors.waitForEnd()
                return load.errors.text
            }
            let text = try String(contentsOfFile: json, encoding: .utf8)
            return Left(
                report: try JSONValue(parsing: text),
                page: try String(contentsOfFile: html, encoding: .utf8), errors: errors, code: code)
        }

        private func isPlanned(_ line: String) -> Bool { line.contains(" planned") }

        @Test(
            "An interrupted load reports what it measured, says so, and removes what it wrote",
            arguments: [1, 2])
        func interrupt(processes: Int) async throws {
            try await LiveCluster.withClient(workers: 1, shards: 2) { cluster, client in
                try await client.index().index(Samples.documents(0..<100))
                try await TemporaryDirectory.with { directory in
                    let mix = try directory.write(
                        """
                        {"classes": [{"name": "ask", "query": "title == \\"{medium}\\"cd"},
                          {"name": "new", "write": "index"}]}
                        """, to: "mix.json")
                    let left = try await interrupted(
                        [
                            mix, "--rate", "20", "--duration", "60s", "--processes",
                            "\(processes)", "--broker", cluster.endpoint, "--slo", "p50<10s",
                        ], in: directory, when: isPlanned)
                    #expect(left.code == 1 && left.errors.contains("interrupted"), "\(left.errors)")
                    #expect(left.report["valid"]?.bool == false)
                    #expect(!left.page.contains("ended by itself"), "no part is lost")
                    #expect(left.report["interruption"]?.string?.contains("interrupted") == true)
                    #expect(left.report["objective"]?["verdict"]?.string == "unknown")
                    #expect(left.page.contains("interrupted"))
                    let main = try #require(left.report["measurements"]?.array?.first)
                    #expect(main["complete"]?.bool == false)
                    let total = try #require(main["total"])
                    let (good, all) = (total["good"]?.integer, total["requests"]?.integer)
                    #expect(try #require(good) > 20 && good == all, "\(total)")
                    // Counted over what was planned until then, not over a minute.
                    #expect(try #require(main["seconds"]?.double) < 30)
                    #expect(try #require(main["goodput"]?.double) > 5)
                    #expect(try await client.count("domainIdentifier == \"fresnel.load\"") == 0)
                }
            }
        }

        @Test("Of several rates an interrupted load reports those that it came to")
        func steps() async throws {
            try await LiveCluster.withClient(workers: 1, shards: 2) { cluster, client in
                try await client.index().index(Samples.documents(0..<100))
                try await TemporaryDirectory.with { directory in
                    let left = try await interrupted(
                        ["--steps", "11,13", "--duration", "6s", "--broker", cluster.endpoint],
                        in: directory
                    ) { $0.hasPrefix("13/s") }
                    #expect(left.code == 1)
                    let measurements = left.report["measurements"]?.array ?? []
                    #expect(measurements.compactMap { $0["label"]?.string } == ["11/s", "13/s"])
                    #expect(measurements.compactMap { $0["complete"]?.bool } == [true, false])
                    let search = try await interrupted(
                        [
                            "--saturate", "--slo", "p50<9s", "--duration", "6s", "--broker",
                            cluster.endpoint,
                        ], in: directory
                    ) { $0.hasPrefix("search") }
                    #expect(search.code == 1)
                    #expect(search.report["saturation"] == .null)
                    #expect(search.report["objective"]?["verdict"]?.string == "unknown")
                    #expect(search.report["measurements"]?.array?.isEmpty == false)
                }
            }
        }

        @Test("Of clusters of several sizes an interrupted load reports those that it measured")
        func scaling() async throws {
            try await TemporaryDirectory.with { directory in
                let source = try directory.write(Samples.lines(0..<100), to: "d.ndjson")
                let left = try await interrupted(
                    [
                        "--workers", "1,2", "--source", source, "--rate", "20", "--duration",
                        "2s",
                    ], in: directory
                ) { $0.contains("cluster of 2 workers") }
                #expect(left.code == 1 && left.errors.contains("interrupted"))
                let points = left.report["scaling"]?["points"]?.array ?? []
                #expect(points.compactMap { $0["workers"]?.integer } == [1])
                #expect(left.report["interruption"]?.string != nil)
            }
        }

        @Test(
            "A load that a signal or timeout ends leaves its summary and files, and ends with 1",
            arguments: [
                ("timeout -s TERM 5", "--processes 1"), ("timeout -s HUP 5", "--processes 2"),
                ("timeout -s INT 12", "--workers 1 --source d.ndjson"),
                ("timeout --preserve-status 5", "--processes 1"),
            ])
        func timeout(starter: String, options: String) async throws {
            try await LiveCluster.withClient(workers: 1, shards: 2) { cluster, client in
                try await client.index().index(Samples.documents(0..<100))
                try await TemporaryDirectory.with { directory in
                    _ = try directory.write(Samples.lines(0..<100), to: "d.ndjson")
                    let broker =
                        options.contains("--workers") ? "" : "--broker \(cluster.endpoint)"
                    let run = try await Program.shell(
                        "cd '\(directory.path)' && \(starter) fresnel load --rate 20 "
                            + "--duration 60s --warmup 0s --attributes title \(options) \(broker) "
                            + "--report r.html --json-report r.json", broker: "")
                    #expect(run.code == (starter.contains("preserve") ? 1 : 124), "\(run.errors)")
                    #expect(run.output.contains("INCOMPLETE: interrupted"), "\(run.errors)")
                    let report = try JSONValue(
                        parsing: try String(
                            contentsOfFile: "\(directory.path)/r.json", encoding: .utf8))
                    #expect(report["interruption"]?.string == "interrupted", "\(run.errors)")
                    let requests = report["measurements"]?.array?.first?["total"]?["requests"]
                    #expect(try #require(requests?.integer) > 10)
                    let page = try String(
                        contentsOfFile: "\(directory.path)/r.html", encoding: .utf8)
                    #expect(page.contains("interrupted") && !page.contains("ended by itself"))
                }
            }
        }

        @Test("A load whose terminal goes away writes its files before anything else")
        func deadTerminal() async throws {
            try await LiveCluster.withClient(workers: 1, shards: 2) { cluster, client in
                try await client.index().index(Samples.documents(0..<100))
                try await TemporaryDirectory.with { directory in
                    // Nobody takes the lines: the first that is printed ends the process.
                    _ = try await Program.shell(
                        "cd '\(directory.path)' && fresnel load --rate 20 --duration 1s "
                            + "--warmup 0s --attributes title --json-report r.json | true",
                        broker: cluster.endpoint)
                    let text = try String(
                        contentsOfFile: "\(directory.path)/r.json", encoding: .utf8)
                    #expect(try JSONValue(parsing: text)["measurements"]?.array?.count == 1)
                }
            }
        }

        @Test("A process of the load's own cluster that dies is told with what was measured")
        func death() async throws {
            try await TemporaryDirectory.with { directory in
                let source = try directory.write(Samples.lines(0..<100), to: "d.ndjson")
                let json = "\(directory.path)/r.json"
                let (errors, code) = try await LiveProcess.with([
                    "load", "--workers", "2", "--source", source, "--rate", "20", "--duration",
                    "7s", "--attributes", "title", "--warmup", "0s", "--json-report", json,
                ]) { load in
                    _ = await load.errors.first { isPlanned($0) ? $0 : nil }
                    let victim = try #require(Self.worker(of: load.number))
                    kill(victim, SIGKILL)
                    await load.output.waitForEnd()
                    await load.errors.waitForEnd()
                    return load.errors.text
                }
                #expect(code == 1 && errors.contains("ended by itself"), "\(errors)")
                let report = try JSONValue(
                    parsing: try String(contentsOfFile: json, encoding: .utf8))
                #expect(report["valid"]?.bool == false)
                #expect(report["interruption"]?.string?.contains("ended by itself") == true)
                let requests = report["measurements"]?.array?.first?["total"]?["requests"]?.integer
                #expect(try #require(requests) > 20)
            }
        }

        /// A worker that a load has started.
        private static func worker(of load: Int32) -> Int32? {
            let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            return numbers.compactMap { Int32($0) }.first { number in
                // A process may end meanwhile.
                let line = try? String(contentsOfFile: "/proc/\(number)/cmdline", encoding: .utf8)
                let status = try? String(contentsOfFile: "/proc/\(number)/status", encoding: .utf8)
                return line?.contains("\0worker\0") == true
                    && status?.contains("PPid:\t\(load)\n") == true
            }
        }

        @Test("What a killed load left the next one removes, and nothing of a living one")
        func leftovers() async throws {
            try await TemporaryDirectory.with { directory in
                let source = try directory.write(Samples.lines(0..<100), to: "d.ndjson")
                let home = "\(directory.path)/home"
                try FileManager.default.createDirectory(
                    atPath: home, withIntermediateDirectories: true)
                let here = { @Sendable in
                    try FileManager.default.contentsOfDirectory(atPath: home)
                }
                let arguments = [
                    Program.path, "load", "--workers", "1", "--source", source, "--attributes",
                    "title", "--warmup", "0s", "--rate", "20", "--duration",
                ]
                _ = try await LiveProcess.with(
                    program: "TMPDIR=\(home)", arguments + ["60s"]
                ) { load in
                    _ = await load.errors.first { isPlanned($0) ? $0 : nil }
                    load.signal(SIGKILL)
                    await load.output.waitForEnd()
                    await load.errors.waitForEnd()
                }
                #expect(try here().count == 1, "nobody was there to remove it")
                // What an end in the middle of a removal leaves at most.
                let empty = "\(home)/fresnel-load-empty"
                try FileManager.default.createDirectory(
                    atPath: empty, withIntermediateDirectories: true)
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: empty)
                _ = try await LiveProcess.with(
                    program: "TMPDIR=\(home)", arguments + ["60s"]
                ) { load in
                    _ = await load.errors.first { isPlanned($0) ? $0 : nil }
                    let kept = try here()
                    #expect(kept.count == 1, "that of the living load")
                    _ = try await LiveProcess.with(
                        program: "TMPDIR=\(home)", arguments + ["1s"]
                    ) { await $0.output.waitForEnd() }
                    #expect(try here() == kept)
                    load.signal(SIGINT)
                    await load.output.waitForEnd()
                    await load.errors.waitForEnd()
                }
                #expect(try here() == [])
            }
        }

        @Test("A class that cannot succeed is named with its place before anything is measured")
        func impossible() async throws {
            try await LiveCluster.withClient(workers: 1, shards: 2) { cluster, client in
                try await client.index().index(Samples.documents(0..<100))
                try await TemporaryDirectory.with { directory in
                    _ = try directory.write(
                        "title == \"a\"\n\nrating >\ntitle = 5", to: "log.txt")
                    let cases: [(classes: String, words: [String])] = [
                        (
                            #"{"query": "title == \"a\""}, {"name": "bad", "query": "title =="}"#,
                            ["mix.json", "classes[1]", "bad", "title ==\n", "^", "measured"]
                        ),
                        (
                            #"{"name": "old", "queries": "log.txt"}"#,
                            ["old", "log.txt line 3", "^"]
                        ),
                        (
                            #"{"query": "title == \"a\"", "indexes": ["nowhere"]}"#,
                            ["classes[0]", "nowhere"]
                        ),
                        (
                            #"{"name": "new", "write": "index", "indexes": ["nowhere"]}"#,
                            ["classes[0]", "new", "nowhere"]
                        ),
                        (
                            #"{"query": "title == \"a\"", "filters": ["rating >"]}"#,
                            ["classes[0]", "rating >\n", "^"]
                        ),
                    ]
                    for (classes, words) in cases {
                        let mix = try directory.write(
                            "{\"classes\": [\(classes)]}", to: "mix.json")
                        let run = try await cluster.run([
                            "load", mix, "--duration", "1s", "--attributes", "title",
                        ])
                        #expect(run.code == 2, "\(classes): \(run.code) \(run.output)")
                        for word in words {
                            #expect(run.errors.contains(word), "\(word): \(run.errors)")
                        }
                    }
                    let odd = try directory.write(
                        #"{"classes": [{"name": "odd", "query": "titel == \"a\""}]}"#, to: "o.json")
                    let told = try await cluster.run([
                        "load", odd, "--duration", "1s", "--warmup", "0s", "--attributes", "title",
                        "--json",
                    ])
                    #expect(told.code == 0 && told.errors.contains("classes[0] \"odd\": "))
                    #expect(told.errors.contains("titel"), "\(told.errors)")
                    let remarks = try JSONValue(parsing: told.output)["remarks"]?.array ?? []
                    #expect(remarks.first?.string?.contains("titel") == true, "\(remarks)")
                    let nowhere = try await cluster.run(["load", "--index", "nowhere"])
                    #expect(nowhere.code == 2, "\(nowhere.code)")
                    #expect(nowhere.errors.contains("--index nowhere"), "\(nowhere.errors)")
                }
            }
        }
    }
}
