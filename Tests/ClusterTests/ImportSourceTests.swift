import FresnelJSON
import Testing

extension Clusters {
    /// `fresnel index` with sources that cannot be read, or not to their end.
    @Suite("Sources of imports")
    struct ImportSourceTests {
        @Test("A header that cannot be used ends its file alone, and the counts are true")
        func header() async throws {
            try await LiveCluster.with(workers: 1, shards: 2) { cluster in
                try await TemporaryDirectory.with { directory in
                    let first = try directory.write(Samples.lines(0..<1030), to: "first.ndjson")
                    let headless = try directory.write("name,title\n1,2\n", to: "headless.csv")
                    let last = try directory.write("id,title\nx,Last\n", to: "last.csv")
                    let run = try await cluster.run(["index", first, headless, last, "--json"])
                    #expect(run.code == 1)
                    let totals = try JSONValue(parsing: run.output)
                    #expect(totals["acknowledged"]?.integer == 1031, "\(run.errors)")
                    #expect(totals["status"]?.string == "failed")
                    #expect(run.errors.contains("\(headless):1:1: no column"), "\(run.errors)")
                    #expect(try await cluster.run(["count", "true"]).output == "1031\n")
                    let alone = try await cluster.run(["index", headless, "--json"])
                    #expect(alone.code == 2)
                    let none = try JSONValue(parsing: alone.output)
                    #expect(none["acknowledged"]?.integer == 0)
                    let both = try await cluster.run(["index", headless, headless])
                    #expect(both.code == 1, "several files were given")
                }
            }
        }

        @Test("A source that cannot be read to its end ends alone")
        func directory() async throws {
            try await LiveCluster.with(workers: 1, shards: 2) { cluster in
                try await TemporaryDirectory.with { directory in
                    let last = try directory.write(Samples.lines(0..<3), to: "last.ndjson")
                    let run = try await cluster.run(
                        ["index", directory.path, last, "--format", "ndjson", "--json"])
                    #expect(run.code == 1)
                    #expect(
                        try JSONValue(parsing: run.output)["acknowledged"]?.integer == 3)
                    #expect(run.errors.contains("it is a directory"), "\(run.errors)")
                }
            }
        }

        @Test("A pipe is read once, to its end, and nothing of it is remembered")
        func pipe() async throws {
            try await LiveCluster.with(workers: 1, shards: 2) { cluster in
                try await TemporaryDirectory.with { directory in
                    let file = try directory.write(Samples.lines(0..<3), to: "last.ndjson")
                    let line = """
                        mkfifo \(directory.path)/in; for round in 1 2; do
                        cat \(file) > \(directory.path)/in &
                        timeout 60 fresnel index \(directory.path)/in --format ndjson --json
                        done
                        """
                    let run = try await Program.shell(line, broker: cluster.endpoint)
                    #expect(run.code == 0, "\(run.errors)")
                    let acknowledged = try run.lines.map {
                        try JSONValue(parsing: $0)["acknowledged"]?.integer
                    }
                    #expect(acknowledged == [3, 3])
                }
            }
        }

        @Test("A mapping to another type than the attribute's is refused before anything is sent")
        func mapping() async throws {
            try await LiveCluster.with(workers: 1, shards: 2) { cluster in
                try await TemporaryDirectory.with { directory in
                    let first = try directory.write(Samples.lines(0..<3), to: "first.ndjson")
                    let table = try directory.write("id,rating\nx,5\n", to: "table.csv")
                    let run = try await cluster.run(
                        ["index", first, table, "--map", "rating=rating:string"])
                    #expect(run.code == 2)
                    #expect(run.errors.contains("the type of rating is number"), "\(run.errors)")
                    #expect(try await cluster.run(["count", "true"]).output == "0\n")
                    for _ in 1...2 {
                        let right = try await cluster.run(
                            ["index", table, "--map", "rating=com_shop_stars:number"])
                        #expect(right.code == 0, "\(right.errors)")
                    }
                    let other = try await cluster.run(
                        ["index", table, "--map", "rating=com_shop_stars:string"])
                    #expect(other.code == 2)
                }
            }
        }

        @Test("A dry run shows what an import would do, and changes nothing; also without a broker")
        func dryRun() async throws {
            try await LiveCluster.with(workers: 1, shards: 2) { cluster in
                try await TemporaryDirectory.with { directory in
                    let table = try directory.write(
                        "id;Body (HTML);stock;rating\n1;Tea;7;4\n2;Rum;9;x\n", to: "table.csv")
                    let run = try await cluster.run(["index", table, "--dry-run", "--json"])
                    #expect(run.code == 1, "\(run.errors)")
                    #expect(run.errors.contains("\(table):3:9: rating is \"x\""), "\(run.errors)")
                    let totals = try JSONValue(parsing: run.output)
                    #expect(totals["accepted"]?.integer == 1 && totals["refused"]?.integer == 1)
                    let shown = try await cluster.run(["index", table, "--dry-run"])
                    for part in ["Body_HTML", "separated by ;", "stock=stock:number"] {
                        #expect(shown.output.contains(part), "\(shown.output)")
                    }
                    let away = try await cluster.run(
                        ["index", table, "--dry-run", "--broker", "ipc:///nobody/here"])
                    #expect(away.code == 1 && away.output.contains("nothing was changed"))
                    let status = try JSONValue(
                        parsing: await cluster.run(["status", "--json"]).output)
                    #expect(status["indexes"]?.array?.isEmpty ?? false)
                }
            }
        }
    }
}
