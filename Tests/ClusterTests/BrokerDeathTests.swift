import FresnelClient
import FresnelJSON
import Testing

extension Clusters {
    /// A broker that dies and comes back at the same endpoint.
    @Suite("Death of the broker", .tags(.slow))
    struct BrokerDeathTests {
        @Test("A client heals by itself when a killed broker is back, and nothing is lost")
        func healing() async throws {
            try await LiveCluster.withClient { cluster, client in
                try await client.index().index(Samples.documents(0..<500))
                let request = SearchRequest("** == \"common\"cdw")
                let before = try await Taken(client.search(request))
                try cluster.kill("broker")
                try await cluster.waitUntilWhole(client)
                try await eventually("the same client is answered") {
                    guard let taken = try? await Taken(client.search(request)) else {
                        return false
                    }
                    guard taken.completion.isComplete else { return false }
                    #expect(taken.completion.digest == before.completion.digest)
                    return true
                }
                let report = try await client.index().index(Samples.documents(500..<510))
                #expect(report.applied == 10)
                #expect(try await client.count("title == \"common*\"c") == 510)
            }
        }

        @Test("A query whose broker is killed ends with an error instead of waiting")
        func midQuery() async throws {
            try await LiveCluster.withClient { cluster, client in
                try await client.index().index(Samples.documents(0..<2000))
                var request = SearchRequest("title == \"common*\"c")
                request.delivery = .found
                request.credit = 10
                request.deadline = .seconds(10)
                let start = ContinuousClock.now
                let query = client.search(request)
                let error = await #expect(throws: SearchError.self) {
                    var isFirst = true
                    for try await _ in query.batches {
                        if isFirst { try cluster.kill("broker") }
                        isFirst = false
                    }
                    _ = try await query.completion()
                }
                #expect(error?.isRetriable == true)
                #expect(ContinuousClock.now - start < .seconds(12))
            }
        }

        @Test("An answer whose broker dies ends with what was delivered, why, and exit code 4")
        func brokenOff() async throws {
            try await LiveCluster.withClient { cluster, client in
                try await client.index().index(Samples.documents(0..<3000))
                let (lines, code) = try await LiveProcess.with([
                    "search", "title == \"common*\"c", "--deliver", "found", "--credit", "2",
                    "--json", "--broker", cluster.endpoint,
                ]) { process in
                    // Two hits a round trip: the first is far from the last.
                    _ = await process.output.first { $0.hasPrefix("{\"unique") ? true : nil }
                    try cluster.kill("broker")
                    await process.output.waitForEnd()
                    return process.output.lines
                }
                #expect(code == 4)
                let last = try JSONValue(parsing: try #require(lines.last))["completion"]
                let completion = try #require(last)
                let hits = lines.count { $0.hasPrefix("{\"unique") }
                #expect(hits > 0 && hits == lines.count - 1)
                #expect(completion["delivered"]?.integer == Int64(hits))
                #expect(completion["found"]?.integer == Int64(hits))
                #expect(completion["status"]?.string == "incomplete")
                #expect(completion["complete"]?.bool == false)
                #expect(
                    completion["error"]?["message"]?.string?.contains("broker was lost") == true)
            }
        }

        @Test("A cluster that was ended and started again has what was acknowledged")
        func restart() async throws {
            try await TemporaryDirectory.with { directory in
                let query = SearchRequest("** == \"common\"cdw")
                let before = try await LiveCluster.with(in: directory.path) { cluster in
                    try await withSearchClient(to: cluster.endpoint) { client in
                        try await client.index().index(Samples.documents(0..<300))
                        return try await Taken(client.search(query)).completion.digest
                    }
                }
                let after = try await LiveCluster.with(in: directory.path) { cluster in
                    try await withSearchClient(to: cluster.endpoint) { client in
                        let taken = try await Taken(client.search(query))
                        #expect(taken.completion.isComplete)
                        #expect(taken.hits.count == 300)
                        return taken.completion.digest
                    }
                }
                #expect(before == after)
            }
        }
    }
}
