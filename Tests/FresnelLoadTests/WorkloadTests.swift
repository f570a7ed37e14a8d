@testable import FresnelLoad
import FresnelModel
import FresnelSystem
import Testing

@Suite("Workloads")
struct WorkloadTests {
    private func workload(_ text: String) throws(WorkloadError) -> Workload {
        try Workload(parsing: Array(text.utf8), name: "test") { name throws(WorkloadError) in
            guard name == "log" else { throw WorkloadError(name, "is not there") }
            return ["a == \"b\"", "", "c == 1"]
        }
    }

    @Test("A file gives classes with weights and requests")
    func reads() throws {
        let workload = try workload(
            """
            {"name": "mix", "classes": [
              {"name": "words", "weight": 3, "query": "** == \\"{frequent}\\"cdw", "limit": 20,
               "sort": ["title", "-rating"], "delivery": "found", "deadlineSeconds": 0.5},
              {"name": "log", "queries": "log"},
              {"name": "box", "query": "title == \\"{typed}*\\"cdw", "typing": "{medium}",
               "pauseSeconds": 0.1},
              {"name": "new", "write": "index"}]}
            """)
        #expect(workload.name == "mix")
        #expect(workload.classes.map(\.name) == ["words", "log", "box", "new"])
        #expect(workload.classes[0].request.limit == 20)
        #expect(workload.classes[0].request.sort.count == 2)
        #expect(workload.classes[0].request.deadline == .milliseconds(500))
        guard case .log(let log) = workload.classes[1].action else {
            Issue.record("no log")
            return
        }
        #expect(log.queries.map(\.text) == ["a == \"b\"", "c == 1"])
        #expect(log.queries.map(\.line) == [1, 3], "an empty line is a line")
    }

    @Test(
        "What is wrong is named by class and key",
        arguments: [
            ("[]", "the file"), ("{\"classes\": []}", "classes"),
            ("{\"classes\": [{}]}", "classes[0]"), ("{\"clases\": []}", "the file.clases"),
            ("{\"classes\": [{\"query\": \"a\", \"write\": \"index\"}]}", "classes[0]"),
            ("{\"classes\": [{\"query\": \"{nothing}\"}]}", "classes[0].query"),
            ("{\"classes\": [{\"query\": \"{typed}\"}]}", "classes[0].query"),
            ("{\"classes\": [{\"query\": \"a\", \"weight\": 0}]}", "classes[0].weight"),
            ("{\"classes\": [{\"query\": \"a\", \"weight\": \"1\"}]}", "classes[0].weight"),
            ("{\"classes\": [{\"query\": \"a\", \"limit\": -1}]}", "classes[0].limit"),
            ("{\"classes\": [{\"query\": \"a\", \"limit\": 1.5}]}", "classes[0].limit"),
            ("{\"classes\": [{\"query\": \"a\", \"delivery\": \"x\"}]}", "classes[0].delivery"),
            ("{\"classes\": [{\"write\": \"burn\"}]}", "classes[0].write"),
            ("{\"classes\": [{\"queries\": \"elsewhere\"}]}", "classes[0].queries"),
            ("{", "the file"), ("", "the file"),
            (
                "{\"classes\": [{\"write\": \"index\", \"indexes\": [\"a\", \"b\"]}]}",
                "classes[0].indexes"
            ),
        ])
    func refuses(text: String, place: String) {
        let error = #expect(throws: WorkloadError.self) { try workload(text) }
        #expect(error?.place == place)
    }

    @Test(
        "What would be passed over without a word is refused",
        arguments: [
            (#"{"name": "a", "query": "a"}, {"name": "a", "query": "b"}"#, "classes[1].name"),
            (#"{"query": "a"}, {"name": "classes[0]", "query": "b"}"#, "classes[1].name"),
            (#"{"query": "a", "pauseSeconds": 1}"#, "classes[0].pauseSeconds"),
            (#"{"queries": "log", "typing": "{word}"}"#, "classes[0].typing"),
            (#"{"write": "index", "typing": "{word}"}"#, "classes[0].typing"),
            (#"{"write": "index", "pauseSeconds": 1}"#, "classes[0].pauseSeconds"),
            (#"{"write": "index", "limit": 5}"#, "classes[0].limit"),
            (#"{"write": "delete", "filters": ["a == 1"]}"#, "classes[0].filters"),
            (#"{"write": "engage", "countOnly": true}"#, "classes[0].countOnly"),
        ])
    func refusesIdleKeys(classes: String, place: String) {
        let error = #expect(throws: WorkloadError.self) {
            try workload("{\"classes\": [\(classes)]}")
        }
        #expect(error?.place == place, "\(String(describing: error))")
    }

    @Test("What is wrong in a file is told with its line and a mark under it")
    func marks() {
        let cases: [(text: String, mark: String)] = [
            (
                """
                {"classes": [
                  {"query": "a"},
                  {"name": "words", "query": "ä", "pauseSeconds": 1}]}
                """,
                """
                line 3: classes[1].pauseSeconds: is for classes with typing
                    {"name": "words", "query": "ä", "pauseSeconds": 1}]}
                                                    ^
                """
            ),
            (
                "{\"classes\": [{\"query\": \"a\"},\n {}]}",
                "\n   {}]}\n   ^"
            ),
            ("{\n \"clases\": []}", "line 2: the file.clases: "),
            ("{\n \"classes\": []}", "\n   \"classes\": []}\n   ^"),
            (
                "{\"classes\": [\n{\"query\": \"a\", \"limit\": -1}]}",
                "\n                 ^"
            ),
            ("{\"classes\": [\n{\"query\": ]}", "line 2"),
            (
                "{\"classes\": [\n{\"queries\": \"elsewhere\"}]}",
                "line 2: classes[0].queries: elsewhere: is not there\n"
            ),
        ]
        for (text, mark) in cases {
            let error = #expect(throws: WorkloadError.self) { try workload(text) }
            let told = "\(error.map(\.description) ?? "nothing")"
            #expect(told.contains(mark), "\(told)")
        }
    }

    @Test("A class writes into its own index, else into the first that the load is given")
    func writes() throws {
        let workload = try workload(
            """
            {"classes": [{"write": "index", "indexes": ["mine"]}, {"write": "delete"},
              {"query": "a", "indexes": ["a", "b"]}]}
            """)
        #expect(workload.classes.map(\.writtenIndex?.text) == ["mine", "default", nil])
        let asking = workload.asking([try IndexName("given"), try IndexName("other")])
        #expect(asking.classes.map(\.writtenIndex?.text) == ["mine", "given", nil])
        #expect(asking.writtenIndexes.map(\.text) == ["given", "mine"])
    }

    @Test("Classes come as often as their weights say")
    func weights() throws {
        let workload = try workload(
            "{\"classes\": [{\"query\": \"a\", \"weight\": 1}, {\"query\": \"b\", \"weight\": 3}]}")
        let places = (0..<1000).map { workload.place(of: Double($0) / 1000) }
        #expect(places.count { $0 == 0 } == 250)
        #expect(workload.place(of: 0.999_999_999_999) == 1)
    }

    @Test("Places are filled with words of their band, the same by the same seed")
    func fills() throws {
        let documents = (0..<4000).map { number in
            (
                identifier: "d\(number)",
                text: "common word\(number) \(number % 100 < 1 ? "some" : "")"
            )
        }
        let sample = TermSample(documents: documents)
        var draws = SeededGenerator(seed: 1)
        let template = try QueryTemplate(parsing: "{frequent}|{medium}|{{x}}|{rare}")
        let filled = template.filled(from: sample, by: &draws)
        #expect(filled.hasPrefix("common|some|{x}|word"))
        var again = SeededGenerator(seed: 1)
        #expect(template.filled(from: sample, by: &again) == filled)
    }

    @Test("The standard workload is one")
    func standard() {
        #expect(!Workload.standard.classes.isEmpty)
    }

    @Test("Shards that did not answer are called that, and not an index without documents")
    func unanswered() {
        let shards = { (status: ShardStatus) in
            (0..<4).map { number in
                ShardReport(
                    index: .standard, shard: ShardID(UInt32(number)), worker: WorkerID("w1"),
                    status: status)
            }
        }
        let hung = Completion(status: .incomplete, shards: shards(.unreachable))
        let error = TermSampler.unanswered(hung)
        #expect(error?.code == .indexUnreachable)
        #expect(error?.message.contains("4 of 4 shards did not answer") == true)
        #expect(error?.message.contains("default 0 on w1: unreachable") == true)
        let whole = Completion(status: .complete, shards: shards(.complete))
        #expect(TermSampler.unanswered(whole) == nil, "it has no documents")
    }
}
