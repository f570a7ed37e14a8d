import FresnelClient
import Glibc
import Testing

extension Clusters {
    /// Wall clocks that are wrong while processes die, stand still and come back.
    @Suite("Wrong clocks", .tags(.slow))
    struct WrongClockTests {
        private static let everything = "title == \"common*\"c"
        private static let month = ExpirationPolicy.after(.seconds(30 * WrongClocks.day))

        /// How many documents a search counts, and what it says of the clock.
        private func count(_ client: SearchClient) async throws -> (found: Int, warned: Bool) {
            var request = SearchRequest(Self.everything)
            request.isCountOnly = true
            let completion = try await client.search(request).completion()
            #expect(completion.isComplete)
            return (
                Int(completion.found),
                completion.warnings.contains { $0.message.contains("clock may be wrong") }
            )
        }

        /// Everything is whole, found, counted in the status, and no clock is wrong.
        private func expectAll(
            _ documents: Int, _ cluster: LiveCluster, _ client: SearchClient
        ) async throws {
            try await cluster.waitUntilWhole(client)
            try await eventually("no clock is wrong") {
                try await client.status().clockTrouble.isEmpty
            }
            let (found, warned) = try await count(client)
            #expect(found == documents && !warned)
            try await eventually("the status counts all \(documents)") {
                try await client.status().indexes.first?.documents == UInt64(documents)
            }
        }

        @Test(
            "A worker that was killed and comes back 40 days off loses nothing",
            arguments: [40, -40])
        func killedWorker(days: Int) async throws {
            try await WrongClocks.with(replicas: 2) { cluster, clocks in
                try await withSearchClient(to: cluster.endpoint) { client in
                    let index = client.index(expiration: Self.month)
                    try await index.index(Samples.documents(0..<300))
                    try clocks.set("worker-1", ahead: days * WrongClocks.day)
                    try await cluster.replace("worker-1", client)
                    try await eventually("the clock is noticed") {
                        try await client.status().clockTrouble.contains("worker-1 is 40 days")
                    }
                    try await eventually("status counts by the broker's clock") {
                        let status = try await client.status()
                        #expect(status.expiredBy == nil, "nothing is dropped")
                        return status.workers.map(\.documents) == [300, 300]
                    }
                    // Enough for merges, in which expired documents went.
                    for first in stride(from: 300, to: 540, by: 20) {
                        try await index.index(Samples.documents(first..<first + 20))
                    }
                    let meanwhile = try await count(client)
                    #expect(meanwhile.found == 540)
                    #expect(!meanwhile.warned, "two clocks of three agree")
                    try clocks.mend("worker-1")
                    try await expectAll(540, cluster, client)
                }
            }
        }

        @Test("A worker whose clock is set while it stands still loses nothing")
        func stoppedWorker() async throws {
            try await WrongClocks.with { cluster, clocks in
                try await withSearchClient(to: cluster.endpoint) { client in
                    let index = client.index(expiration: Self.month)
                    try await index.index(Samples.documents(0..<300))
                    for days in [40, -20_000] {
                        try cluster.signal("worker-2", SIGSTOP)
                        try clocks.set("worker-2", ahead: days * WrongClocks.day)
                        // Until it is missed.
                        try await eventually("the worker is not heard") {
                            let workers = try await client.status().workers
                            return workers.contains { $0.silence > .seconds(2) }
                        }
                        try cluster.signal("worker-2", SIGCONT)
                        try await eventually("the clock is noticed") {
                            try await client.status().clockTrouble.contains("worker worker-2 is")
                        }
                        try await index.index(Samples.documents(0..<50))
                        #expect(try await count(client).found == 300)
                        try clocks.mend("worker-2")
                        try await expectAll(300, cluster, client)
                    }
                }
            }
        }

        @Test("A broker that is killed and comes back 40 days ahead says what its answers hide")
        func killedBroker() async throws {
            try await WrongClocks.with { cluster, clocks in
                try await withSearchClient(to: cluster.endpoint) { client in
                    let index = client.index(expiration: Self.month)
                    try await index.index(Samples.documents(0..<300))
                    try clocks.set("broker", ahead: 40 * WrongClocks.day)
                    // It runs still, and nothing but the next answer has had time to notice.
                    let first = try await count(client)
                    #expect(first.found == 0 && first.warned)
                    try cluster.kill("broker")
                    try await eventually("the workers contradict the next one") {
                        guard let status = try? await client.status() else { return false }
                        return status.clockTrouble.contains("most workers' contradict")
                    }
                    try await cluster.waitUntilWhole(client)
                    let second = try await count(client)
                    #expect(second.found == 0 && second.warned)
                    // An update of what seems expired, and what is new, are kept.
                    try await index.index(Samples.documents(250..<350))
                    try clocks.mend("broker")
                    try cluster.kill("broker")
                    try await eventually("the broker is back") {
                        guard let status = try? await client.status() else { return false }
                        return status.clockTrouble.isEmpty && status.workers.count == 2
                    }
                    try await expectAll(350, cluster, client)
                }
            }
        }

        @Test("A broker whose clock is set while it stands still says so with its first answer")
        func stoppedBroker() async throws {
            try await WrongClocks.with(replicas: 2) { cluster, clocks in
                try await withSearchClient(to: cluster.endpoint) { client in
                    let index = client.index(expiration: Self.month)
                    try await index.index(Samples.documents(0..<300))
                    for days in [40, -20_000] {
                        try cluster.signal("broker", SIGSTOP)
                        try clocks.set("broker", ahead: days * WrongClocks.day)
                        try cluster.signal("broker", SIGCONT)
                        let (found, warned) = try await count(client)
                        // Far back nothing has expired, and by neither time anything does.
                        #expect(found == (days > 0 ? 0 : 300) && warned == (days > 0))
                        try await index.index(Samples.documents(100..<150))
                        try clocks.mend("broker")
                        try await expectAll(300, cluster, client)
                    }
                }
            }
        }
    }
}
