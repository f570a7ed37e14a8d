import FresnelJSON
import Testing

extension Clusters {
    /// What programs read where no cluster answers.
    @Suite("Without a broker")
    struct WithoutBrokerTests {
        private static let nowhere = "tcp://127.0.0.1:9"

        @Test(
            "Without a broker the last line is a completion with the error",
            arguments: [
                ["search", "title == \"a\"", "--json"], ["count", "true", "--format", "ndjson"],
                ["search", "-", "--json"],
                // A declared Boolean has an order: only the cluster could tell.
                ["count", "com_shop_sold >= true", "--json"],
            ])
        func completion(arguments: [String]) async throws {
            let run = try await Program.run(arguments, input: "true\n", broker: Self.nowhere)
            #expect(run.code == 4)
            #expect(run.lines.count == 1, "\(run.output)")
            let completion = try Answer(run).completion
            #expect(completion["status"]?.string == "failed")
            #expect(completion["complete"]?.bool == false)
            #expect(completion["error"]?["code"]?.integer == -2001)
            #expect(
                completion["error"]?["message"]?.string?.contains(Self.nowhere) == true)
        }

        @Test(
            "An invalid query is told with its place before anybody is asked",
            arguments: ["search", "count"])
        func invalid(command: String) async throws {
            let start = ContinuousClock.now
            let run = try await Program.run(
                [command, "title == \"a\" && (rating > 3", "--json"], broker: Self.nowhere)
            #expect(run.code == 2)
            #expect(ContinuousClock.now - start < .seconds(2), "connecting takes as long")
            #expect(run.errors.contains("\n                             ^"), "\(run.errors)")
            let error = try Answer(run).completion["error"]
            #expect(error?["code"]?.integer == -2002)
            #expect(error?["offset"]?.integer == 27)
        }

        @Test("An argument that is no UTF-8 is refused, not repaired")
        func bytes() async throws {
            let run = try await Program.shell(
                "fresnel parse \"$(printf 'title == \"a\\377\"')\"", broker: Self.nowhere)
            #expect(run.code == 2)
            #expect(run.errors.contains("argument 2 is not UTF-8"), "\(run.errors)")
            #expect(run.output.isEmpty)
        }

        @Test("Help of a command that is there is shown")
        func help() async throws {
            let run = try await Program.run(["help", "search"])
            #expect(run.code == 0)
            #expect(run.output.contains("fresnel search '** =="))
        }

        @Test(
            "The completion for bash offers files and directories where paths are taken",
            arguments: [
                (["index", "fi"], "first.ndjson"), (["verify", "--against", "fi"], "first.ndjson"),
                (["verify", "--queries", "fi"], "first.ndjson"),
                (["broker", "--data", "f"], "folder"), (["worker", "--data", "f"], "folder"),
                (["up", "--data", "f"], "folder"),
                (["broker", "--config", "s"], "settings.json"),
                (["worker", "--config", "s"], "settings.json"), (["stat"], "status"),
            ])
        func completionScript(words: [String], offered: String) async throws {
            try await TemporaryDirectory.with { directory in
                for name in ["first.ndjson", "settings.json"] {
                    _ = try directory.write("", to: name)
                }
                let script = """
                    source <(fresnel --generate-completion-script bash)
                    offer() {
                        COMP_WORDS=(fresnel "$@"); COMP_CWORD=$#
                        COMP_LINE="fresnel $*"; COMP_POINT=${#COMP_LINE}
                        _fresnel fresnel "${!#}" "${COMP_WORDS[COMP_CWORD-1]}"
                        echo "${COMPREPLY[@]}"
                    }
                    mkdir folder
                    offer \(words.joined(separator: " "))
                    """
                let file = try directory.write(script, to: "offer.sh")
                let run = try await Program.shell(
                    "cd \(directory.path) && bash \(file)", broker: Self.nowhere)
                #expect(run.lines == [offered], "\(run.output)\(run.errors)")
            }
        }
    }
}
