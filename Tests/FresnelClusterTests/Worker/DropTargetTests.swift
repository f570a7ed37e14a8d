import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("What a worker does with what it is to remove")
struct DropTargetTests {
    private static let index = IndexIdentity(high: 1, low: 2)
    private static let replicas: [DropTarget.Replica] = [
        .any, .known(ReplicaIdentity(7)), .unseen,
    ]

    private static func found(
        _ index: IndexIdentity, _ replica: UInt64, isFresh: Bool = false
    ) -> DropTarget.Found {
        var found = DropTarget.Found()
        found.index = index
        found.replica = ReplicaIdentity(replica)
        found.isFresh = isFresh
        return found
    }

    @Test("R-11: a directory of another index is left, whatever else is meant", arguments: replicas)
    func otherIndex(replica: DropTarget.Replica) {
        let target = DropTarget(index: Self.index, replica: replica)
        let other = IndexIdentity(high: 1, low: 3)
        for isFresh in [false, true] {
            #expect(target.verdict(on: Self.found(other, 7, isFresh: isFresh)) == .leave)
        }
    }

    @Test(
        "R-11: of the index itself, or where it is not known, the replica decides",
        arguments: [index, .unknown])
    func replica(known: IndexIdentity) {
        for index in [Self.index, .unknown] {
            let any = DropTarget(index: index)
            let seen = DropTarget(index: index, of: ReplicaIdentity(7))
            let unseen = DropTarget(index: index, of: .unknown)
            #expect(any.verdict(on: Self.found(known, 9)) == .remove)
            #expect(seen.verdict(on: Self.found(known, 7)) == .remove)
            #expect(seen.verdict(on: Self.found(known, 9, isFresh: true)) == .setAside)
            #expect(seen.verdict(on: Self.found(known, 0)) == .setAside)
            #expect(unseen.verdict(on: Self.found(known, 9)) == .setAside)
            #expect(unseen.verdict(on: Self.found(known, 9, isFresh: true)) == .remove)
        }
    }

    @Test("An order says what is meant", arguments: replicas)
    func order(replica: DropTarget.Replica) {
        let target = DropTarget(index: Self.index, replica: replica)
        let shard = ShardKey(index: "shop", shard: ShardID(3))
        let order = ReplicaOrder.drop(shard: shard, epoch: Epoch(4), target: target)
        guard case .dropReplica(let wire) = order.command else {
            Issue.record("\(order.command) is no DROP_REPLICA")
            return
        }
        #expect(wire.index == "shop" && wire.shard == 3 && wire.epoch == 4)
        #expect(DropTarget(wire) == target)
    }
}
