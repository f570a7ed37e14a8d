import FresnelClient
import FresnelJSON
import Testing

extension Clusters {
    /// `fresnel index` with files that are not what they should be, and with interruptions.
    @Suite("Imports")
    struct ImportTests {
        @Test("Lines that are no documents are refused with their place; the others are indexed")
        func malformedLines() async throws {
            try await LiveCluster.with { cluster in
                try await TemporaryDirectory.with { directory in
                    let lines = [
                        #"{"uniqueIdentifier":"good-1","attributes":{"title":"One"}}"#,
                        #"{"uniqueIdentifier":"broken","attributes":{"title":"#,
                        #"{"attributes":{"title":"nameless"}}"#,
                        #"{"uniqueIdentifier":"typed","attributes":{"rating":"five"}}"#,
                        "\u{FFFD} not JSON at all", "[1, 2]", "null", "",
                        #"{"uniqueIdentifier":"good-2","attributes":{"title":"Two"}}"#,
                    ]
                    let text = lines.joined(separator: "\n") + "\n"
                    let file = try directory.write(text, to: "mixed.ndjson")
                    let run = try await cluster.run(["index", file, "--json"])
                    #expect(run.code == 1)
                    let totals = try JSONValue(parsing: run.output)
                    #expect(totals["acknowledged"]?.integer == 2)
                    #expect(totals["refused"]?.integer == 6)
                    for line in 2...7 {
                        #expect(run.errors.contains("\(file):\(line):"), "line \(line)")
                    }
                    #expect(run.errors.contains("\(file):4:43: "), "\(run.errors)")
                    #expect(try await cluster.run(["count", "title == \"*\""]).output == "2\n")
                }
            }
        }

        @Test("Rows that are no documents are refused with their place; a bad header ends the file")
        func malformedTables() async throws {
            try await LiveCluster.with { cluster in
                let table = """
                    id,title,rating
                    1,One,5
                    2,Two
                    3,"Three
                    lines",4
                    4,Four,many
                    5,"Five"x,1
                    6,Six,2

                    """
                let run = try await cluster.run(
                    ["index", "-", "--format", "csv", "--json"], input: table)
                #expect(run.code == 1)
                let totals = try JSONValue(parsing: run.output)
                #expect(totals["acknowledged"]?.integer == 3, "\(run.errors)")
                #expect(totals["refused"]?.integer == 3)
                for line in [3, 6, 7] { #expect(run.errors.contains("-:\(line):")) }
                let headless = try await cluster.run(
                    ["index", "-", "--format", "csv"], input: "name,title\n1,2\n")
                #expect(headless.code == 2)
                #expect(headless.errors.contains("uniqueIdentifier"))
            }
        }

        @Test("Columns are mapped as told")
        func mapping() async throws {
            try await LiveCluster.with { cluster in
                let run = try await cluster.run(
                    [
                        "index", "-", "--format", "csv", "--map", "sku=uniqueIdentifier", "--map",
                        "cost=com_shop_price:number", "--map", "junk=-",
                    ], input: "sku,cost,junk,title\na,2.5,x,Apple\nb,7,y,Pear\n")
                #expect(run.code == 0, "\(run.errors)")
                #expect(try await cluster.run(["count", "com_shop_price > 3"]).output == "1\n")
            }
        }

        @Test("Declared attributes take part in a search for everything")
        func declarations() async throws {
            try await LiveCluster.with { cluster in
                let run = try await cluster.run(
                    ["index", "-", "--declare", "com_shop_note:string:default"],
                    input: #"{"uniqueIdentifier":"a","attributes":{"com_shop_note":"fragile"}}"#)
                #expect(run.code == 0, "\(run.errors)")
                #expect(try await cluster.run(["count", "* == \"fragile\"w"]).output == "1\n")
                let described = try await cluster.run(["describe"])
                #expect(described.output.contains("com_shop_note: string, searchable"))
                let conflict = try await cluster.run(
                    ["index", "-", "--declare", "com_shop_note:number"],
                    input: #"{"uniqueIdentifier":"b","attributes":{"title":"x"}}"#)
                #expect(conflict.code == 1)
                #expect(conflict.errors.contains("com_shop_note"))
            }
        }

        @Test("An import that was killed goes on where it stopped", .tags(.slow))
        func resume() async throws {
            try await LiveCluster.withClient { cluster, client in
                try await TemporaryDirectory.with { directory in
                    let count = 4000
                    let file = try directory.write(Samples.lines(0..<count), to: "many.ndjson")
                    let arguments = ["index", file, "--batch", "20", "--broker", cluster.endpoint]
                    _ = try await LiveProcess.with(arguments) { process in
                        try await eventually("a part is indexed") {
                            // Before the first batch there is nothing to count.
                            (try? await client.count("title == \"*\"")) ?? 0 >= 400
                        }
                        process.signal(9)
                    }
                    let partial = try await client.count("title == \"*\"")
                    #expect(partial < count, "the import ended before it could be killed")
                    let run = try await cluster.run(["index", file, "--json"])
                    #expect(run.code == 0, "\(run.errors)")
                    #expect(run.errors.contains("goes on after line "), "\(run.errors)")
                    #expect((try JSONValue(parsing: run.output)["skipped"]?.integer ?? 0) > 0)
                    #expect(try await client.count("title == \"*\"") == count)
                    let restarted = try await cluster.run(["index", file, "--restart", "--json"])
                    #expect(restarted.code == 0)
                    #expect(
                        try JSONValue(parsing: restarted.output)["acknowledged"]?.integer
                            == Int64(count))
                    #expect(try await client.count("title == \"*\"") == count)
                }
            }
        }
    }
}
