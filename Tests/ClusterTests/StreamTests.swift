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
