import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Turns of followed queries")
struct FollowTurnTests {
    /// A broker with a worker that holds one shard, and four clients that follow 16 queries each.
    private struct Cluster {
        var broker = BrokerHarness(shards: 1)
        /// Subqueries of the worker that were looked at.
        private var taken = 0
        private var batch: UInt64 = 1

        init() throws {
            broker.connect("w", 1, .worker)
            broker.connect("c", 2)
            try write()
            for client in 3...6 as ClosedRange<UInt8> {
                broker.connect("c\(client)", client)
                for number in 0..<UInt64(Limits.followsPerClient) {
                    var asked = search("rating >= \(UInt64(client) * 100 + number)")
                    asked.follow = true
                    broker.receive(.query(asked), request(number), from: address(client))
                    answer(take())
                }
            }
        }

        /// Writes a batch, which every followed query is to hear of.
        mutating func write() throws {
            try broker.put(2, batch: batch)
            batch += 1
            broker.host(1)
            for part in broker.takeParts(1) { broker.answer(part, from: 1) }
        }

        /// What the worker was asked since the last call.
        mutating func take() -> [(envelope: Envelope, subquery: WireSubquery)] {
            let asked = broker.messages(to: address(1, .worker)).compactMap { message in
                if case .subquery(let subquery) = message.command {
                    (envelope: message.envelope, subquery: subquery)
                } else {
                    nil
                }
            }
            defer { taken = asked.count }
            return Array(asked[taken...])
        }

        mutating func answer(_ tasks: [(envelope: Envelope, subquery: WireSubquery)]) {
            for task in tasks {
                var done = WirePartDone()
                done.shards = task.subquery.targets.map { report($0.shard) }
                broker.receive(
                    .partDone(done), task.envelope, from: address(1, .worker, .data))
            }
        }
    }

    @Test("Q-67: few rounds wait for workers at once, and who waited longest is the next")
    func turns() throws {
        var cluster = try Cluster()
        #expect(cluster.broker.core.tails.count == 64)
        var turns: [String: Int] = [:]
        for tick in 1...12 {
            // Every followed query has something to ask, at every tick.
            try cluster.write()
            cluster.broker.decide(.tick, after: Double(tick) / 10)
            let tasks = cluster.take()
            #expect(tasks.count == Limits.followTurns)
            for task in tasks { turns[task.subquery.search.query, default: 0] += 1 }
            cluster.answer(tasks)
            #expect(turns.values.allSatisfy { $0 == (tick + 3) / 4 || $0 == (tick - 1) / 4 })
        }
        #expect(turns.count == 64 && turns.values.allSatisfy { $0 == 3 })
    }

    @Test("Q-67: a worker that does not answer keeps other rounds waiting for a second, not longer")
    func late() throws {
        var cluster = try Cluster()
        try cluster.write()
        cluster.broker.decide(.tick, after: 1)
        #expect(cluster.take().count == Limits.followTurns)
        for second in [1.05, 1.5, 1.95] {
            cluster.broker.decide(.tick, after: second)
            #expect(cluster.take().isEmpty)
        }
        cluster.broker.decide(.tick, after: 2)
        let tasks = cluster.take()
        #expect(tasks.count == Limits.followTurns)
        cluster.answer(Array(tasks.prefix(3)))
        cluster.broker.decide(.tick, after: 2.05)
        #expect(cluster.take().count == 3)
    }
}
