package import FresnelModel
package import FresnelWire

/// Which directory a worker is to remove, and what becomes of another one in its place.
///
/// What is removed for good needs more than a name. A directory of another index of that name stays
/// where it is: somebody may look for it there, and the worker tells the broker of it. Another
/// directory of the same index, or one that does not say, is kept beside its place for people.
package struct DropTarget: Hashable, Sendable {
    /// Which replica of a shard is meant.
    package enum Replica: Hashable, Sendable {
        /// Whichever is there.
        case any
        /// The one of this identity.
        case known(ReplicaIdentity)
        /// One that the broker never heard of: nothing in it was ever acknowledged, so that one
        /// with parts is somebody's.
        case unseen
    }

    /// What lies in the place of the shard.
    package struct Found: Hashable, Sendable {
        /// The index that it was made for; unknown where its manifest does not say.
        package var index = IndexIdentity.unknown
        /// Unknown where there is none, or its manifest cannot be read.
        package var replica = ReplicaIdentity.unknown
        /// Whether it is open and never got a part.
        package var isFresh = false

        package init() {}
    }

    /// What a worker does with what it found.
    package enum Verdict: Hashable, Sendable {
        case remove
        /// Keep it beside its place, where nothing opens it.
        case setAside
        /// Touch nothing, and say so.
        case leave
    }

    /// Unknown where nobody told it.
    package let index: IndexIdentity
    let replica: Replica
    /// Whether its index was removed, which the worker is to remember.
    package let isOfRemovedIndex: Bool

    package init(
        index: IndexIdentity, replica: Replica = .any, isOfRemovedIndex: Bool = false
    ) {
        self.index = index
        self.replica = replica
        self.isOfRemovedIndex = isOfRemovedIndex
    }

    /// What is meant of a removed index's replica that the broker knows by this identity, or by
    /// none.
    init(index: IndexIdentity, of identity: ReplicaIdentity) {
        self.init(
            index: index, replica: identity == .unknown ? .unseen : .known(identity),
            isOfRemovedIndex: true)
    }

    /// Reads an order.
    package init(_ order: WireDropReplica) {
        index = IndexIdentity(high: order.indexIdentityHigh, low: order.indexIdentityLow)
        isOfRemovedIndex = order.indexRemoved
        guard order.identity == 0 else {
            replica = .known(ReplicaIdentity(order.identity))
            return
        }
        replica = order.unseen ? .unseen : .any
    }

    /// Writes it into an order.
    func write(to order: inout WireDropReplica) {
        order.indexIdentityHigh = index.high
        order.indexIdentityLow = index.low
        order.indexRemoved = isOfRemovedIndex
        switch replica {
        case .any: break
        case .known(let identity): order.identity = identity.value
        case .unseen: order.unseen = true
        }
    }

    /// What becomes of what was found.
    package func verdict(on found: Found) -> Verdict {
        guard index.mayBe(found.index) else { return .leave }
        let isMeant =
            switch replica {
            case .any: true
            case .known(let identity): found.replica == identity
            case .unseen: found.isFresh
            }
        return isMeant ? .remove : .setAside
    }
}
