import FresnelJSON
import Testing

extension Clusters {
    /// Output, log lines and warnings where programs read them; no cluster is needed.
    @Suite("Streams")
    struct StreamTests {
        @Test(
            "Output that cannot be written ends with 1 and says so",
            arguments: ["parse 'title == \"a\"'", "--help", "describe --broker tcp://127.0.0.1:9"])
        func fullDevice(command: String) async throws {
            let run = try await Program.shell("fresnel \(command) > /dev/full", broker: "")
            #expect(run.code == 1)
            #expect(run.errors.contains("cannot be written"), "\(run.errors)")
        }

        @Test(
            "A closed standard output is told, with 1, and nothing else is written to in its place",
            arguments: ["parse 'title == \"a\"'", "--help", "describe --broker tcp://127.0.0.1:9"])
        func closed(command: String) async throws {
            let run = try await Program.shell("fresnel \(command) >&-", broker: "")
            #expect(run.code == 1)
            #expect(run.errors.contains("the standard output is closed"), "\(run.errors)")
            #expect(!run.errors.contains("Error"), "\(run.errors)")
        }

        @Test("A reader that went away is told where its signal is not heard")
        func gone() async throws {
            try await TemporaryDirectory.with { directory in
                let gate = directory.path + "/gate"
                let run = try await Program.shell(
                    """
                    trap '' PIPE; mkfifo \(gate)
                    { read -r line < \(gate); fresnel --help; } | { exec <&-; echo > \(gate); }
                    """, broker: "")
                #expect(run.errors.contains("whoever read it went away"), "\(run.errors)")
            }
        }

        @Test("An answer for a closed standard output goes nowhere, also not to a socket")
        func closedAnswer() async throws {
            try await LiveCluster.with(workers: 1, shards: 2) { cluster in
                let put = try await cluster.run(["index", "-"], input: Samples.lines(0..<30))
                #expect(put.code == 0, "\(put.errors)")
                for closed in [">&-", "<&- >&-", "<&- >&- 2>&-"] {
                    let run = try await Program.shell(
                        "fresnel search 'title == \"common*\"c' --json \(closed)",
                        broker: cluster.endpoint)
                    #expect(run.code == 1, "\(closed): \(run.errors)")
                    #expect(run.output.isEmpty)
                    #expect(
                        run.errors.contains("the standard output is closed")
                            != closed.contains("2>&-"), "\(run.errors)")
                }
            }
        }

        @Test("The table of exit codes in the help is the one of the program and of the page")
        func exitCodes() async throws {
            let page = try Project.contents("Documentation/operations.md")
            for command in [[], ["search"], ["count"]] {
                let help = try await Program.run(command + ["--help"])
                for code in 0...4 {
                    #expect(help.output.contains("\n  \(code)  "), "\(command): \(help.output)")
                    #expect(page.contains("\n| \(code) | "))
                }
                #expect(help.output.contains("  3  an incomplete answer"))
                #expect(help.output.contains("  4  no answer"))
            }
        }

        @Test("Parse warns of names that mean nothing, and refuses them when it is strict")
        func oddities() async throws {
            let command = ["parse", "title == \"a\"", "--attributes", "titel,rating"]
            let run = try await Program.run(command + ["--sort", "-ratin", "--language", "zz-top"])
            #expect(run.code == 0)
            #expect(run.errors.contains("unknown attribute to return 'titel'"), "\(run.errors)")
            #expect(run.errors.contains("did you mean title"))
            #expect(run.errors.contains("unknown sort attribute 'ratin'"))
            #expect(run.errors.contains("unknown language 'zz-top'"))
            #expect(!run.errors.contains("'rating'"))
            let json = try await Program.run(command + ["--json"])
            let warnings = try JSONValue(parsing: json.output)["warnings"]?.array
            #expect(warnings?.count == 1)
            let strict = try await Program.run(command + ["--json", "--strict"])
            #expect(strict.code == 2)
            #expect(try JSONValue(parsing: strict.output)["error"]?["code"]?.integer == 410)
        }

        @Test(
            "Languages with a code are none of the odd ones", arguments: ["sv", "de-AT", "tr_TR"])
        func languages(tag: String) async throws {
            let run = try await Program.run(["parse", "title == \"a\"", "--language", tag])
            #expect(run.errors.isEmpty, "\(run.errors)")
        }
    }
}
