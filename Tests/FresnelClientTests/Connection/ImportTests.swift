import FresnelClient
import FresnelModel
import FresnelWire
import ZeroMQ
import Testing

@Suite("Importing through a connection", .timeLimit(.minutes(1)))
struct ImportTests {
    func withBroker<Answer>(
        _ body: (SearchClient, IndexScript) async throws -> Answer
    ) async throws -> Answer {
        let script = IndexScript()
        let broker = try await FakeBroker.start(script)
        let answer = try await withSearchClient(to: broker.endpoint) { client in
            try await body(client, script)
        }
        try await broker.stop()
        return answer
    }

    func source(_ lines: Int, name: String = "a") -> ImportSource {
        let text = (1...lines).map { "{\"uniqueIdentifier\":\"\(name)\($0)\"}" }
        return .bytes(Array(text.joined(separator: "\n").utf8), name: name)
    }

    func run(
        _ sources: [ImportSource], with client: SearchClient, operationLimit: Int = 10
    ) async throws -> ImportProgress {
        let session = try await client.index().startImport(operationLimit: operationLimit)
        for source in sources {
            try await session.run(ImportReader(source, options: ImportOptions(format: .ndjson)))
        }
        return try await session.finish()
    }

    @Test("Everything is acknowledged, and a second run begins from the start")
    func whole() async throws {
        try await withBroker { client, script in
            for _ in 0..<2 {
                script.state.withLock { $0.puts = [] }
                let progress = try await run([source(95), source(33, name: "b")], with: client)
                #expect(progress.acknowledged == 128)
                #expect(progress.skipped == 0 && progress.refused == 0)
                let puts = script.state.withLock { $0.puts }
                #expect(puts.flatMap { $0.operations.map(\.identifier) }.count == 128)
                #expect(puts.allSatisfy { $0.operations.count <= 10 })
            }
        }
    }

    @Test("An import that broke off goes on where it is acknowledged", arguments: 1...14)
    func resuming(answered: Int) async throws {
        try await withBroker { client, script in
            let sources = [source(65), source(95, name: "b")]
            script.state.withLock { $0.answered = answered }
            await #expect(throws: SearchError.self) { try await run(sources, with: client) }
            let first = script.state.withLock { state in
                let stored = state.puts.prefix(answered).flatMap { $0.operations.map(\.identifier) }
                state.puts = []
                state.answered = .max
                return stored
            }
            let progress = try await run(sources, with: client)
            let second = script.state.withLock {
                $0.puts.flatMap { $0.operations.map(\.identifier) }
            }
            let wanted = (1...65).map { "a\($0)" } + (1...95).map { "b\($0)" }
            #expect(Set(first + second) == Set(wanted))
            #expect(progress.skipped + progress.read == 160)
            // Only what was on its way is repeated.
            #expect(progress.skipped >= first.count - 100)
        }
    }

    func begin(
        _ source: ImportSource, with client: SearchClient, lines: Int
    ) async throws -> (ImportSession, ImportReader) {
        let session = try await client.index().startImport(operationLimit: 10)
        try await session.begin(source)
        let reader = try ImportReader(source, options: ImportOptions(format: .ndjson))
        try await add(lines, of: reader, to: session)
        return (session, reader)
    }

    func add(_ lines: Int, of reader: ImportReader, to session: ImportSession) async throws {
        for _ in 0..<lines {
            guard let record = try reader.next() else { return }
            try await session.add(record, through: reader.linesConsumed)
        }
    }

    @Test("An import that comes while another is at work ends and says so; the other one goes on")
    func rivals() async throws {
        try await withBroker { client, script in
            let (first, firstReader) = try await begin(source(400), with: client, lines: 200)
            let (second, secondReader) = try await begin(
                source(400, name: "b"), with: client, lines: 200)
            try await add(200, of: firstReader, to: first)
            let error = await #expect(throws: SearchError.self) {
                try await self.add(200, of: secondReader, to: second)
                _ = try await second.finish()
            }
            #expect(error?.code == .mismatchedClientState)
            #expect(error?.message.contains("another import into index default") == true)
            #expect(try await first.finish().acknowledged == 400)
            // What the second one has put there is remembered; nothing of the first one is.
            let again = try await run([source(400, name: "b")], with: client)
            #expect(again.skipped > 0 && again.skipped + again.acknowledged == 400)
            let puts = script.state.withLock { $0.puts }
            let stored = Set(puts.flatMap { $0.operations.map(\.identifier) })
            let wanted = (1...400).flatMap { ["a\($0)", "b\($0)"] }
            #expect(stored.isSuperset(of: wanted))
            #expect(script.state.withLock { $0.clientState } == Array("fresnel-import-1".utf8))
        }
    }

    @Test("An import whose account is gone ends and says so; run again it begins anew")
    func emptied() async throws {
        try await withBroker { client, script in
            let (session, reader) = try await begin(source(400), with: client, lines: 200)
            script.state.withLock { $0.clientState = [] }
            let error = await #expect(throws: SearchError.self) {
                try await self.add(200, of: reader, to: session)
                _ = try await session.finish()
            }
            #expect(error?.code == .mismatchedClientState)
            #expect(error?.message.contains("given up as lost") == true, "\(error as Any)")
            let again = try await run([source(400)], with: client)
            #expect(again.skipped == 0 && again.acknowledged == 400)
        }
    }

    @Test("An import whose index is removed meanwhile ends and says so; it makes none anew")
    func removed() async throws {
        try await withBroker { client, script in
            let (session, reader) = try await begin(source(400), with: client, lines: 200)
            script.state.withLock { $0.unknowing = 1 }
            var refused: [ImportRefusal] = []
            session.onRefusal = { refused.append($1) }
            let error = await #expect(throws: SearchError.self) {
                try await self.add(200, of: reader, to: session)
                _ = try await session.finish()
            }
            #expect(error?.code == .unknownIndex)
            #expect(error?.message.contains("removed while this import ran") == true)
            #expect(refused.isEmpty)
            #expect(script.state.withLock { $0.clientState } == nil)
            let again = try await run([source(400)], with: client)
            #expect(again.skipped == 0 && again.acknowledged == 400)
        }
    }

    @Test("Lines that make no index are refused while none is there, and a later one makes it")
    func founding() async throws {
        try await withBroker { client, script in
            script.state.withLock { $0.unknowing = 2 }
            let progress = try await run([source(400)], with: client)
            #expect(progress.acknowledged == 380 && progress.refused == 20, "\(progress)")
        }
    }

    @Test("The last batches of an import that was killed are waited for, and its account is kept")
    func successor() async throws {
        try await withBroker { client, script in
            func place(_ lines: Int) {
                let text = "fresnel-import-1 @00000000000000aa 00000000000000bb:\(lines)"
                script.state.withLock { $0.clientState = Array(text.utf8) }
            }
            place(10)
            let (session, reader) = try await begin(source(90), with: client, lines: 5)
            place(20)
            try await add(85, of: reader, to: session)
            let progress = try await session.finish()
            #expect(progress.acknowledged == 90, "\(progress)")
            let left = "fresnel-import-1 00000000000000bb:20"
            #expect(script.state.withLock { $0.clientState } == Array(left.utf8))
        }
    }

    @Test("What may succeed later is sent again, what may not is told with its line")
    func retries() async throws {
        try await withBroker { client, script in
            script.state.withLock { $0.refused = ["a7": 304, "a9": -1001] }
            let session = try await client.index().startImport()
            var refused: [ImportRefusal] = []
            session.onRefusal = { refused.append($1) }
            let reader = try ImportReader(source(20), options: ImportOptions(format: .ndjson))
            try await session.run(reader)
            let progress = try await session.finish()
            #expect(progress.acknowledged == 19)
            #expect(refused.map(\.line) == [9])
            #expect(script.state.withLock { $0.puts.count } == 2)
        }
    }

    @Test("Lines that cannot be used are told, and the others are imported")
    func badLines() async throws {
        try await withBroker { client, _ in
            let text = "{\"uniqueIdentifier\":\"a\"}\nnonsense\n{\"uniqueIdentifier\":\"b\"}\n"
            let progress = try await run(
                [.bytes(Array(text.utf8), name: "t")], with: client)
            #expect(progress.acknowledged == 2 && progress.refused == 1 && progress.read == 3)
        }
    }

    @Test("A line that is sent again never replaces a later one of the same identifier")
    func orderOfRetries() async throws {
        try await withBroker { client, script in
            script.state.withLock { $0.refused = ["a3": 304] }
            let lines = (1...60).map { line in
                "{\"uniqueIdentifier\":\"a\(line % 10)\",\"attributes\":{\"rating\":\(line)}}"
            }
            let source = ImportSource.bytes(Array(lines.joined(separator: "\n").utf8), name: "a")
            let progress = try await run([source], with: client, operationLimit: 10)
            #expect(progress.acknowledged == 60 && progress.refused == 0)
            let puts = script.state.withLock { $0.puts }
            // The first of them was refused: those sent after it go again, in the order of their
            // lines, and the last lines are held back until that is done.
            let expected = Array(repeating: "a3", count: 5)
            #expect(puts.dropFirst(5).first?.operations.map(\.identifier) == expected)
            #expect(puts.count == 7)
            #expect(puts.map(\.batchNumber) == (1...UInt64(puts.count)).map { $0 })
        }
    }
}
