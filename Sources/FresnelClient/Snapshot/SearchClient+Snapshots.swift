package import FresnelKernels
package import FresnelModel
import FresnelSession
package import FresnelSnapshot
import FresnelWire

/// A store as a client found it.
package struct StorePlace: Hashable, Sendable {
    package let location: String
    package let identity: Hash128

    package init(location: String, identity: Hash128) {
        self.location = location
        self.identity = identity
    }
}

/// What came of copying one index to a store.
package struct IndexCopy: Sendable {
    package let index: SnapshotIndex
    package let bytesSent: UInt64
    /// Of objects that were in the store already.
    package let bytesReused: UInt64
    /// Objects that were damaged in the store and were sent again.
    package let replaced: Int
}

extension SearchClient {
    /// Has the workers copy an index to a store: all that was acknowledged before, and nothing of a
    /// batch that was not.
    ///
    /// - Parameter isComparing: whether workers read what is in the store already, and replace what
    ///   is damaged.
    /// - Throws: `SearchError`; then nothing names what may be in the store already.
    package func copy(
        _ name: IndexName, to place: StorePlace, comparingReused isComparing: Bool
    ) async throws(SearchError) -> IndexCopy {
        var order = WireSnapshot()
        order.index = name.text
        order.store = WireStorePlace(place)
        order.compareReused = isComparing
        let done = try await connection.snapshot(order)
        do throws(WireError) {
            return IndexCopy(
                index: try SnapshotIndex(done.index), bytesSent: done.bytesSent,
                bytesReused: done.bytesReused, replaced: Int(done.replaced))
        } catch {
            throw SearchError(unreadable: error)
        }
    }

    /// Has the workers make an index from a store, over the workers that are here.
    ///
    /// - Returns: when every shard of it can be searched.
    /// - Throws: `SearchError`; then there is no such index, unless the text says that it is
    ///   restored and not open yet, or the broker was lost in the middle.
    package func make(
        _ name: IndexName, from source: SnapshotIndex, in place: StorePlace
    ) async throws(SearchError) {
        var order = WireSnapshot()
        order.index = name.text
        order.store = WireStorePlace(place)
        order.source = WireSnapshotIndex(source)
        _ = try await connection.snapshot(order)
    }
}

extension ClientConnection {
    fileprivate func snapshot(
        _ order: WireSnapshot
    ) async throws(SearchError) -> WireSnapshotDone {
        let id = freshID()
        let reply = Reply()
        let command = Command.snapshot(order)
        if let overflow = command.overflow {
            throw SearchError(
                .invalidArgument,
                "what names the files of index \(order.index) has \(overflow.bytes) bytes, "
                    + "\(overflow.limit) can be sent")
        }
        submit(id, .snapshot(id, order, budget: Limits.snapshotBudget), to: reply)
        guard case .copied(let done) = try await reply.value() else {
            throw SearchError(.malformedMessage, "the broker answered SNAPSHOT with another verb")
        }
        return done
    }
}
