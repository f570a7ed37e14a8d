import FresnelModel

/// What content the newest batch numbers stand for: of batches under way, and of those that ended.
///
/// A batch is named for ever by its index, client and number, and a resend changes nothing. So the
/// name is held against the content: another content under a known name is refused, whatever became
/// of the first. Bounded: older names are known to the shards that got something of them.
struct BatchNames: Sendable {
    private var digests: [BatchKey: UInt64] = [:]
    /// Names in the order in which they came.
    private var order: [BatchKey] = []

    /// Names that are known.
    var count: Int { digests.count }

    /// Whether a name is known to stand for another content than this.
    func isTaken(_ key: BatchKey, from digest: UInt64) -> Bool {
        digests[key].map { $0 != digest } ?? false
    }

    /// A batch is taken on: its name stands for this from now on.
    mutating func bind(_ key: BatchKey, to digest: UInt64) {
        if digests.updateValue(digest, forKey: key) == nil { order.append(key) }
        guard order.count > Limits.rememberedBatchNames else { return }
        // Half at once, so that forgetting costs little per batch.
        for key in order.prefix(order.count / 2) { digests[key] = nil }
        order.removeFirst(order.count / 2)
    }

    /// Documents of an index were given up as lost: who has them may send them again.
    ///
    /// Not under the name of a batch that is under way: that one goes on, and is answered.
    mutating func forget(index: String, but isUnderWay: (BatchKey) -> Bool) {
        order.removeAll { $0.index == index && !isUnderWay($0) }
        digests = digests.filter { $0.key.index != index || isUnderWay($0.key) }
    }
}
