import FresnelClient
import FresnelJSON
import Testing

extension Clusters {
    /// Searches that nobody can answer, through the program and through the library.
    @Suite("Bad input of searches")
    struct BadInputTests {
        private static let query = "title == \"common*\"c"

        /// The code a search ends with; nil when it does not fail.
        private func failure(
            _ client: SearchClient, _ change: (inout SearchRequest) throws -> Void
        ) async throws -> SearchError.Code? {
            var request = SearchRequest(Self.query)
            try change(&request)
            do throws(SearchError) {
                return try await client.search(request).completion().error?.code
            } catch {
                return error.code
            }
        }

        @Test("Limits and credit that deliver nothing, or too much, are typed errors at once")
        func numbers() async throws {
            try await LiveCluster.withClient(workers: 1, shards: 2) { cluster, client in
                try await client.index().index(Samples.documents(0..<20))
                let start = ContinuousClock.now
                #expect(try await failure(client) { $0.limit = 0 } == .invalidArgument)
                #expect(try await failure(client) { $0.limit = -1 } == .invalidArgument)
                #expect(try await failure(client) { $0.limit = .max } == .invalidArgument)
                #expect(try await failure(client) { $0.credit = 0 } == .invalidArgument)
                #expect(try await failure(client) { $0.credit = -1 } == .invalidArgument)
                #expect(try await failure(client) { $0.credit = .max } == .invalidArgument)
                #expect(try await failure(client) { $0.limit = Limits.hits } == nil)
                #expect(
                    try await failure(client) {
                        $0.credit = 0
                        $0.isCountOnly = true
                    } == nil)
                #expect(ContinuousClock.now - start < .seconds(5))
                for flag in ["--limit", "--credit"] {
                    for number in ["0", "-1", "99999999999999999999", "9223372036854775807"] {
                        let run = try await cluster.run(["search", Self.query, flag, number])
                        #expect(run.code == 2 && run.errors.contains(flag), "\(run.errors)")
                    }
                }
            }
        }

        @Test("An unknown attribute to sort by is missing everywhere, with a warning; strict: 410")
        func sort() async throws {
            try await LiveCluster.withClient(workers: 2, shards: 3) { cluster, client in
                try await client.index().index(Samples.documents(0..<20))
                var request = SearchRequest(Self.query)
                request.sort = [
                    SortKey(.attribute("ratin"), isAscending: false),
                    SortKey(.attribute("title"), isAscending: true),
                ]
                let taken = try await Taken(client.search(request))
                #expect(taken.identifiers == (0..<20).map(Samples.identifier).sortedByTitle)
                #expect(taken.completion.isComplete)
                let warnings = taken.completion.warnings
                #expect(warnings.count == 1 && warnings[0].offset == nil)
                #expect(warnings[0].message.contains("did you mean rating"), "\(warnings)")
                #expect(
                    try await failure(client) {
                        $0.sort = request.sort
                        $0.isStrict = true
                    } == .invalidArgument)
                let flags = ["search", Self.query, "--sort=-ratin,title", "--json"]
                let run = try await cluster.run(flags)
                #expect(run.code == 0)
                #expect(try Answer(run).identifiers == taken.identifiers)
                #expect(run.errors.contains("unknown sort attribute 'ratin'"), "\(run.errors)")
                #expect(!run.errors.contains("at byte"), "\(run.errors)")
                let strict = try await cluster.run(flags + ["--strict"])
                #expect(strict.code == 2, "\(strict.errors)")
                #expect(try Answer(strict).completion["error"]?["code"]?.integer == 410)
            }
        }

        @Test("A cursor of another query, a forged and a cut one are typed errors")
        func cursors() async throws {
            try await LiveCluster.withClient(workers: 1, shards: 2) { cluster, client in
                try await client.index().index(Samples.documents(0..<20))
                var request = SearchRequest(Self.query)
                request.limit = 5
                let first = try await Taken(client.search(request)).completion
                let cursor = try #require(first.next)
                var forged = cursor.bytes
                forged[forged.count / 2] ^= 1
                let cut = SearchCursor(bytes: Array(cursor.bytes.dropLast(3)))
                let cases: [(String, SearchCursor, Int32)] = [
                    ("title == \"common*\"", cursor, 415),
                    (Self.query, SearchCursor(bytes: forged), 410), (Self.query, cut, 410),
                    (Self.query, SearchCursor(bytes: [UInt8](repeating: 1, count: 100)), 410),
                    (Self.query, SearchCursor(bytes: [UInt8](repeating: 1, count: 1 << 20)), 410),
                ]
                for (query, cursor, code) in cases {
                    let found = try await failure(client) {
                        $0.query = query
                        $0.after = cursor
                    }
                    #expect(found?.rawValue == code, "\(cursor.bytes.count) bytes")
                    let text = cursor.description
                    guard text.utf8.count < 100_000 else { continue }
                    let run = try await cluster.run(["search", query, "--after", text, "--json"])
                    #expect(run.code == (code == 415 ? 1 : 2), "\(run.errors)")
                    #expect(run.errors.contains("cursor"), "\(run.errors)")
                    let error = try Answer(run).completion["error"]
                    #expect(error?["code"]?.integer == Int64(code))
                }
                #expect(
                    try await failure(client) {
                        let long = String(repeating: "a", count: Limits.queryBytes - 30)
                        $0.query = "title == \"\(long)\""
                        $0.filters = Array(
                            repeating: "title == \"\(long)\"", count: Limits.filters)
                    } == .tooLarge)
                let garbage = try await cluster.run(["search", Self.query, "--after", "!!"])
                #expect(garbage.code == 2 && garbage.errors.contains("not a cursor"))
                #expect(try await failure(client) { $0.before = cut } == .invalidArgument)
            }
        }
    }
}

extension [String] {
    /// The identifiers of samples, in the order of their titles.
    fileprivate var sortedByTitle: [String] {
        sorted { (left: String, right: String) in
            // "number7" follows "number10".
            "\(Int(left.dropFirst()) ?? 0)" < "\(Int(right.dropFirst()) ?? 0)"
        }
    }
}
