import FresnelClient
import Testing

extension Clusters {
    /// Bytes that are no messages, at every port of the broker.
    @Suite("Malformed frames")
    struct MalformedFrameTests {
        /// A broker whose four lanes are socket files, and one worker.
        private func withBroker(
            _ body: @Sendable (_ lanes: [String], SearchClient) async throws -> Void
        ) async throws {
            try await TemporaryDirectory.with { directory in
                let clients = "ipc://\(directory.path)/c"
                let workers = "ipc://\(directory.path)/w"
                let (_, code) = try await LiveProcess.with([
                    "broker", "--data", "\(directory.path)/b", "--listen", clients,
                    "--worker-listen", workers, "--shards", "2",
                ]) { broker in
                    let isReady = await broker.output.first { $0.hasPrefix("ready") ? true : nil }
                    #expect(isReady == true)
                    let (_, code) = try await LiveProcess.with([
                        "worker", "--data", "\(directory.path)/1", "--broker", workers,
                    ]) { _ in
                        try await withSearchClient(to: clients) { client in
                            try await client.index().index(Samples.documents(0..<20))
                            try await body(
                                [clients, clients + ".data", workers, workers + ".data"], client)
                            #expect(!broker.errors.text.contains("crashed"))
                        }
                    }
                    #expect(code == 0)
                }
                #expect(code == 0)
            }
        }

        @Test("Noise and half a greeting leave the broker and its answers untouched")
        func noise() async throws {
            try await withBroker { lanes, client in
                var chance = SplitMix(state: 20_261_120)
                let greeting: [UInt8] =
                    [0xFF] + Array(repeating: 0, count: 8) + [0x7F, 3, 1]
                    + Array("NULL".utf8) + Array(repeating: 0, count: 48)
                let texts: [[UInt8]] = [
                    [], [0], Array("GET / HTTP/1.1\r\n\r\n".utf8), Array(greeting.prefix(10)),
                    greeting, greeting + [4, 0xFF] + chance.bytes(300),
                    greeting + [0x06] + Array(repeating: 0xFF, count: 8) + chance.bytes(100),
                    chance.bytes(100_000),
                ]
                for lane in lanes {
                    for text in texts {
                        guard let connection = RawConnection(lane) else {
                            Issue.record("nobody at \(lane)")
                            continue
                        }
                        connection.send(text)
                    }
                }
                let count = try await client.count("title == \"common*\"c")
                #expect(count == 20)
            }
        }

        @Test(
            "Messages that are nearly right leave the broker and its answers untouched",
            arguments: [1, 2, 3] as [UInt64])
        func strangers(seed: UInt64) async throws {
            try await withBroker { lanes, client in
                for lane in lanes {
                    try Stranger.send(Stranger.messages(seed: seed), to: lane)
                    #expect(try await client.count("title == \"common*\"c") == 20, "\(lane)")
                }
                let report = try await client.index().index(Samples.documents(20..<25))
                #expect(report.applied == 5)
            }
        }
    }
}
