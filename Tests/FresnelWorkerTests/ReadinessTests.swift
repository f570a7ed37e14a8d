import FresnelModel
import FresnelWire
import Testing

@testable import FresnelWorker

@Suite("When a worker is ready")
struct ReadinessTests {
    private var assignment: [WireIndexAssignment] {
        var assignment = WireIndexAssignment()
        assignment.index = "shop"
        assignment.shards = [0, 3]
        return [assignment]
    }

    private func inventory(
        _ shards: [UInt32], identity: UInt64 = 7
    ) -> [WireShardInventory] {
        shards.map { number in
            var shard = WireShardInventory()
            shard.index = "shop"
            shard.shard = number
            shard.identity = identity
            return shard
        }
    }

    private func pings(_ count: Int, to readiness: inout Readiness) -> [Bool] {
        (0..<count).map { _ in readiness.ping() }
    }

    @Test("with every assigned shard open and two heartbeats without a refusal, once")
    func open() {
        var readiness = Readiness()
        readiness.assign(assignment)
        readiness.host(inventory([0]))
        #expect(pings(3, to: &readiness) == [false, false, false])
        readiness.host(inventory([0, 3]))
        #expect(pings(3, to: &readiness) == [false, true, false])
        #expect(readiness.isReached)
    }

    @Test("not while a replica that is known is not here, until it was copied")
    func missing() {
        var readiness = Readiness()
        readiness.assign(assignment)
        readiness.host(inventory([0]) + inventory([3], identity: 0))
        #expect(pings(3, to: &readiness) == [false, false, false])
        readiness.host(inventory([0, 3]))
        #expect(pings(2, to: &readiness) == [false, true])
    }

    @Test("with nothing to hold after two heartbeats")
    func nothing() {
        var readiness = Readiness()
        #expect(pings(2, to: &readiness) == [false, true])
    }

    @Test("not while the broker refuses a shard, until it assigns anew")
    func refused() {
        var readiness = Readiness()
        readiness.assign(assignment)
        readiness.host(inventory([0, 3]))
        #expect(pings(1, to: &readiness) == [false])
        readiness.refuse()
        #expect(pings(2, to: &readiness) == [false, false])
        readiness.assign(assignment)
        readiness.host(inventory([0, 3]))
        #expect(pings(2, to: &readiness) == [false, true])
    }
}
