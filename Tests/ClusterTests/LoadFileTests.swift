import Foundation
import Testing

extension Clusters {
    /// Files of a load that would be written over what it reads.
    @Suite("Files of a load")
    struct LoadFileTests {
        /// The same file by its name, another spelling, a symbolic and a hard link.
        private func names(
            of path: String, in directory: TemporaryDirectory
        ) throws -> [String] {
            let (soft, hard) = ("\(path)-soft", "\(path)-hard")
            let file = URL(fileURLWithPath: path)
            try FileManager.default.createSymbolicLink(
                at: URL(fileURLWithPath: soft), withDestinationURL: file)
            try FileManager.default.linkItem(at: file, to: URL(fileURLWithPath: hard))
            return [path, "\(directory.path)/./\(file.lastPathComponent)", soft, hard]
        }

        private func text(of path: String) throws -> String {
            try String(contentsOfFile: path, encoding: .utf8)
        }

        @Test("A recording does not replace the log that it reads, by whatever name")
        func record() async throws {
            try await TemporaryDirectory.with { directory in
                let line = "{\"at\": 0, \"query\": \"a\"}\n"
                let log = try directory.write(line, to: "q.log")
                let former = try directory.write(line, to: "q.log.1")
                for output in try names(of: log, in: directory) + [former] {
                    let run = try await Program.run([
                        "load", "record", log, "--output", output, "--duration", "100ms",
                    ])
                    #expect(run.code == 2, "\(output): \(run.errors)")
                    #expect(run.errors.contains("--output \(output)"), "\(run.errors)")
                    #expect(run.errors.contains("name another file"), "\(run.errors)")
                    #expect(try text(of: log) == line)
                }
            }
        }

        @Test("Queries that are not UTF-8 are refused with their line, not repaired to other ones")
        func encoding() async throws {
            try await TemporaryDirectory.with { directory in
                let mix = try directory.write(
                    #"{"classes": [{"queries": "queries.txt"}]}"#, to: "mix.json")
                for (name, line, arguments) in [
                    ("queries.txt", #"true\ntitle == "Stra\337e"\n"#, [mix]),
                    (
                        "log.ndjson", #"{"at":0,"query":"true"}\n{"at":1,"query":"\337"}\n"#,
                        ["--replay", "\(directory.path)/log.ndjson"]
                    ),
                ] {
                    let path = "\(directory.path)/\(name)"
                    let load = "fresnel load run " + arguments.joined(separator: " ")
                    let run = try await Program.shell(
                        "printf '\(line)' > \(path); \(load)", broker: "tcp://127.0.0.1:9")
                    #expect(run.code == 2, "\(run.errors)")
                    #expect(
                        run.errors.contains("\(name):2: the line is not UTF-8"), "\(run.errors)")
                }
            }
        }

        @Test("A report does not replace what its load reads, by whatever name")
        func reports() async throws {
            try await TemporaryDirectory.with { directory in
                let queries = try directory.write("title == \"a\"\n", to: "queries.txt")
                let mix = try directory.write(
                    #"{"classes": [{"queries": "queries.txt"}]}"#, to: "mix.json")
                let times = try directory.write("0\n100\n", to: "times.txt")
                let source = try directory.write(Samples.lines(0..<10), to: "d.ndjson")
                let settings = try directory.write("{}", to: "settings.json")
                let cases: [(file: String, arguments: [String], what: String)] = [
                    (mix, [], "the workload of this load"),
                    (queries, [], "a file of queries that the workload names"),
                    (times, ["--replay", times], "the recording of --replay"),
                    (source, ["--workers", "1", "--source", source], "the --source"),
                ]
                for (file, arguments, what) in cases {
                    let before = try text(of: file)
                    let outputs = try names(of: file, in: directory)
                    for (number, output) in outputs.enumerated() {
                        let flag = number % 2 == 0 ? "--json-report" : "--report"
                        let run = try await Program.run(
                            ["load", flag, output] + arguments
                                + ["--", mix])
                        #expect(run.code == 2, "\(output): \(run.errors)")
                        #expect(run.errors.contains("\(flag) \(output)"), "\(run.errors)")
                        #expect(run.errors.contains(what), "\(run.errors)")
                        #expect(try text(of: file) == before)
                    }
                }
                let run = try await Program.shell(
                    "FRESNEL_CONFIG='\(settings)' fresnel load --report '\(settings)'",
                    broker: "tcp://127.0.0.1:9")
                #expect(run.code == 2 && run.errors.contains("the settings file"), "\(run.errors)")
            }
        }

        @Test("Two reports are not one file by another spelling, also where it is not there yet")
        func twoReports() async throws {
            try await TemporaryDirectory.with { directory in
                let run = try await Program.run([
                    "load", "--report", "\(directory.path)/a", "--json-report",
                    "\(directory.path)/./a",
                ])
                #expect(run.code == 2 && run.errors.contains("name the same file"))
            }
        }

        @Test("A device or an empty file is read, and told as what it is")
        func devices() async throws {
            let run = try await Program.run(["load", "/dev/null"])
            #expect(run.code == 2 && run.errors.contains("/dev/null"), "\(run.errors)")
            #expect(!run.errors.contains("permission"), "\(run.errors)")
        }

        @Test("A damaged report is refused with its name and the place in it")
        func damaged() async throws {
            try await TemporaryDirectory.with { directory in
                let report = try directory.write(
                    #"{"format": 1, "valid": true, "setting": {}, "measurements": [{"#
                        + #""label": "main", "goodput": 3, "total": null}]}"#, to: "a.json")
                let run = try await Program.run(["load", "compare", report, report])
                #expect(run.code == 2, "\(run.errors)")
                #expect(
                    run.errors.contains("\(report): measurements[0].total: is null"),
                    "\(run.errors)")
            }
        }

        @Test(
            "A spacing of requests that nobody plans is refused",
            arguments: [["--clients", "2"], ["--replay", "/dev/null"]])
        func spacing(arguments: [String]) async throws {
            let run = try await Program.run(["load", "--spacing", "constant"] + arguments)
            #expect(run.code == 2, "\(run.errors)")
            if arguments[0] == "--clients" {
                #expect(run.errors.contains("--clients and --spacing contradict"), "\(run.errors)")
            }
        }
    }
}
