import FresnelJSON
import Testing

extension Clusters {
    /// What the program does without a cluster.
    @Suite("Usage")
    struct UsageTests {
        @Test(
            "A command line that cannot be understood ends with 2 and says why",
            arguments: [
                (["blah"], "blah"), (["search", "a == 1", "--limt", "3"], "--limt"),
                (["search", "a == 1", "--limit", "many"], "many"),
                (["search", "a == 1", "--limit", "-1"], "from 1 to 2147483647, not -1"),
                (["search", "a == 1", "--credit", "0"], "--credit must be a number from 1"),
                (["search", "a == 1", "--time-zone", "Mars/Utopia"], "--time-zone must be"),
                (["count", "a == 1", "--first-weekday", "0"], "--first-weekday must be"),
                (["index", "-", "--batch", "-1"], "--batch must be a number from 1 to 1000"),
                (["up", "--workers", "-1"], "--workers must be a number from 1"),
                (["search", "a == 1", "--format", "xml"], "xml"),
                (["search", "a == 1", "--deadline", "soon"], "--deadline"),
                (["search", "a == 1", "--now", "tomorrow"], "--now"),
                (["search", "a == 1", "--deliver", "found", "--sort", "title"], "has no order"),
                (
                    ["search", "a == 1", "--follow", "--deliver", "found", "--sort", "a"],
                    "no order"
                ),
                (["search", "a == 1", "--require", "most"], "most"),
                (["search", "a == 1", "--sort", "title,,rating"], "sort key"),
                (["search", "a == 1", "--attributes", "title,,rating"], "--attributes takes"),
                (["parse", "a == 1", "--attributes", "title,"], "--attributes takes"),
                (["search", "a == 1", "--json", "--format", "table"], "contradict"),
                (["status", "--json", "--format", "table"], "contradict"),
                (["count", "a == 1", "--broker", "tcp://10.0.0.1:1"], "--insecure"),
                (["count", "a =="], "the end of the query"),
                (["search", "title == \"a\" && (", "--deadline", "9h"], "deadline"),
                (["search", "a == 1", "--deadline", "99999999d"], "at most 3600 are allowed"),
                (["search", "true", "--filter", "((("], "invalid query"),
                (["help", "nosuch"], "no command \"nosuch\""),
                (["serach", "apple"], "did you mean `fresnel search`"),
                (["help", "serach"], "did you mean `fresnel search`"),
                (["snapshot", "crate"], "did you mean `fresnel snapshot create`"),
                (["frobnicate"], "there are up, broker,"),
                (["up", "--worker", "3"], "Did you mean '--workers'?"),
                (["search", "apple"], "write ** == \"apple\"cdw"),
                (["count", "coffee maker"], "** == \"coffee maker\"cdwt"),
                (
                    ["search", "coffee", "maker", "--limit", "3"],
                    "in single quotes: fresnel search '** == \"coffee maker\"cdw'"
                ),
                (["count", "title", "==", "x"], "in single quotes: fresnel count '…'"),
                (["status", "--broker", "localhost:7700"], "did you mean tcp://localhost:7700"),
                (["search", "a == 1", "--index", "No Spaces"], "No Spaces"),
                (["index"], "file"), (["index", "/nonexistent.ndjson"], "/nonexistent.ndjson"),
                (["index", "-", "-"], "once"), (["index", "-", "--batch", "0"], "--batch"),
                (["index", "-", "--declare", "price"], "--declare"),
                (["index", "-", "--declare", "price:money"], "price:money"),
                (["delete"], "--domain"), (["delete", "a", "--all"], "--all"), (["get"], "id"),
                (["up", "--replicas", "4"], "1 to 3"), (["up", "--workers", "0"], "--workers"),
                (["up", "--shards", "100000"], "--shards"),
                (["up", "--listen", "tcp://0.0.0.0:1"], "encrypted"),
                (["up", "--listen", "nowhere"], "--listen"), (["broker"], "--data"),
                (["broker", "--data", "/tmp", "--listen", "tcp://0.0.0.0:1"], "--insecure"),
                (["broker", "--data", "/tmp", "--shards", "none"], "--shards"),
                (["broker", "--data", "/tmp", "--config", "/nonexistent"], "/nonexistent"),
                (["broker", "--data", "/tmp", "--log-level", "loud"], "loud"),
                (["worker"], "--data"),
                (["worker", "--data", "/tmp", "--broker", "tcp://10.0.0.1:1"], "--insecure"),
                (["parse"], "query"),
                (["verify", "--against", "a"], "--queries"),
            ])
        func usage(arguments: [String], word: String) async throws {
            let run = try await Program.run(arguments, broker: "tcp://127.0.0.1:9")
            #expect(run.code == 2)
            #expect(run.errors.contains(word), "\(run.errors)")
            #expect(run.output.isEmpty)
        }

        @Test(
            "What moves replicas begins without --yes only where somebody can be asked",
            arguments: [["drain", "worker-1"], ["rebalance"], ["rebalance", "--json"]])
        func nobodyToAsk(arguments: [String]) async throws {
            let run = try await Program.run(arguments, broker: "tcp://127.0.0.1:9")
            #expect(run.code == 2 && run.errors.contains("say --yes"), "\(run.errors)")
        }

        @Test(
            "Every command explains itself with an example",
            arguments: [
                "up", "broker", "worker", "index", "search", "count", "get", "delete", "status",
                "describe", "parse", "verify", "explain", "plan", "rebalance", "drain",
            ])
        func help(command: String) async throws {
            let run = try await Program.run([command, "--help"])
            #expect(run.code == 0)
            #expect(run.output.contains("  fresnel \(command)"))
        }

        @Test(
            "Help says what would surprise",
            arguments: [
                ("up", "for bulk to the next port, which must be free too"),
                ("broker", "the next port is taken too"),
                ("explain", "ends with 0 also when that answer is incomplete"),
                ("search", "at most 1h (default: 10s)"), ("search", "not with --sort"),
                ("status", "the oldest sequence number that all shards of an index"),
            ])
        func surprises(command: String, words: String) async throws {
            let help = try await Program.run([command, "--help"]).output
            // Lines break where the terminal ends.
            let text = help.split { $0.isWhitespace }.joined(separator: " ")
            #expect(text.contains(words), "\(help)")
        }

        @Test("A variable of a role that is no setting is refused, with the nearest one")
        func unknownVariable() async throws {
            let run = try await Program.shell(
                "FRESNEL_WORKER_SERCH_THREADS=2 fresnel worker --data /tmp", broker: "")
            #expect(run.code == 2)
            #expect(run.errors.contains("did you mean FRESNEL_WORKER_SEARCH_THREADS"))
        }

        @Test("Nobody at the endpoint ends with 4 within three seconds and names it")
        func unavailable() async throws {
            let start = ContinuousClock.now
            let run = try await Program.run(
                ["count", "title == \"a\""], broker: "tcp://127.0.0.1:9")
            #expect(run.code == 4)
            #expect(run.errors.contains("tcp://127.0.0.1:9"))
            #expect(run.errors.contains("FRESNEL_BROKER says"), "\(run.errors)")
            #expect(run.errors.contains("start one with `fresnel up`"), "\(run.errors)")
            #expect(ContinuousClock.now - start < .seconds(3))
        }

        @Test("Parse shows the canonical form without a cluster")
        func parse() async throws {
            let run = try await Program.run(
                ["parse", "title = 'app*' cd && !(keywords == 'dessert')"])
            #expect(run.code == 0)
            #expect(run.lines.first == "title == \"app*\"cd && keywords != \"dessert\"")
        }

        @Test("Parse points at what is wrong with 2, for people and for programs")
        func invalid() async throws {
            let run = try await Program.run(["parse", "title == \"a\" && (rating > 3", "--json"])
            #expect(run.code == 2)
            let error = try JSONValue(parsing: run.output)["error"]
            #expect(error?["code"]?.integer == -2002)
            #expect(error?["offset"]?.integer == 27)
            #expect(run.errors.contains("\n                             ^"), "\(run.errors)")
        }

        @Test("Limits and known attributes are described without a cluster")
        func describe() async throws {
            let run = try await Program.run(
                ["describe", "--json", "--broker", "tcp://127.0.0.1:9"])
            #expect(run.code == 0)
            let description = try JSONValue(parsing: run.output)
            #expect((description["limits"]?.array?.count ?? 0) > 20)
            #expect((description["attributes"]?.array?.count ?? 0) > 180)
        }

        @Test("A flag wins over the environment, the environment over the file")
        func settings() async throws {
            try await TemporaryDirectory.with { directory in
                let file = try directory.write(
                    #"{"broker": {"data": "\#(directory.path)", "listen": "tcp://0.0.0.0:1"}}"#,
                    to: "fresnel.json")
                // The address that is refused says which setting won.
                let plain = try await Program.run(["broker", "--config", file])
                #expect(plain.errors.contains("tcp://0.0.0.0:1 "), "\(plain.errors)")
                let varied = try await Program.shell(
                    "FRESNEL_BROKER_LISTEN=tcp://0.0.0.0:2 fresnel broker --config \(file)",
                    broker: "")
                #expect(varied.errors.contains("tcp://0.0.0.0:2 "), "\(varied.errors)")
                let flagged = try await Program.shell(
                    "FRESNEL_BROKER_LISTEN=tcp://0.0.0.0:2 fresnel broker --config \(file) "
                        + "--listen tcp://0.0.0.0:3", broker: "")
                #expect(flagged.errors.contains("tcp://0.0.0.0:3 "), "\(flagged.errors)")
                #expect([plain.code, varied.code, flagged.code] == [2, 2, 2])
            }
        }

        @Test(
            "What is no setting in a settings file is refused, with what was probably meant",
            arguments: [
                (#"{"broker": {"lisen": "tcp://127.0.0.1:0"}}"#, "did you mean broker.listen"),
                (#"{"borker": {"data": "/tmp"}}"#, "did you mean broker.data"),
                (#"{"broker": {"frobnicate": 1}}"#, "deploy/README.md lists the settings"),
                (#"{"broker": ["data"]}"#, "\"broker\" must be an object"),
                (#"["broker"]"#, "it must be an object"),
                (#"{"broker": {"data": ["/tmp"]}}"#, "broker.data must be a text"),
                (#"{"broker": {"data": null}}"#, "broker.data must be a text"),
            ])
        func unknownSetting(text: String, words: String) async throws {
            try await TemporaryDirectory.with { directory in
                let file = try directory.write(text, to: "fresnel.json")
                let run = try await Program.run(["broker", "--config", file])
                #expect(run.code == 2)
                #expect(run.errors.contains(words), "\(run.errors)")
            }
        }
    }
}
