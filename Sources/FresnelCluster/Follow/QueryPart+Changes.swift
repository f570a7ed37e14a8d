import FresnelModel
import FresnelWire

// What a worker says of changes is compared with itself: each key names a kind of change and a
// shard that was asked (Documentation/protocol.md, K-4), and as many came of each kind as were
// counted. Additions cannot come before removals, since keys ascend.

extension QueryPart {
    /// Takes in the kinds of the changes in a batch; a fault when they cannot be.
    mutating func countChanges(in batch: HitBatchReader, _ sequence: UInt64) -> StreamFault? {
        guard var tally = changes else { return nil }
        var previous = lastKey[...]
        for position in 0..<batch.count {
            let key = batch.key(position)
            guard isOfTarget(key), tally.count(key) else {
                return StreamFault(
                    .changesApply,
                    "hit batch \(sequence) has a key that is no change of a shard it was asked for")
            }
            guard previous.lexicographicallyPrecedes(key) else {
                return StreamFault(
                    .orderAscending, "hit batch \(sequence) names a change twice")
            }
            previous = key
        }
        changes = tally
        guard counted.isEmpty || tally.isWithin(ChangeTally(counted)) else {
            return StreamFault(
                .countsTrue,
                "hit batch \(sequence) has more hits that are gone, or that are new, than were "
                    + "counted")
        }
        return nil
    }

    /// Whether a key ends with the number of a shard of this part.
    private func isOfTarget(_ key: ArraySlice<UInt8>) -> Bool {
        let ending = key.dropFirst().suffix(4)
        guard ending.count == 4 else { return false }
        let shard = ending.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return targets.contains { $0.shard.number == shard }
    }

    /// Why what is claimed of a round cannot be: more changes of one kind than of both, a next
    /// expiration that the round has seen, or other changes than were sent.
    func faultyChange(in reports: [WireShardReport], _ span: WireChangeSpan?) -> String? {
        guard let span else { return nil }
        for report in reports {
            guard report.removed <= report.found else {
                return "counted \(report.removed) hits of shard \(report.shard) that are gone, "
                    + "where it found \(report.found) changes"
            }
            let next = report.nextExpiration
            guard report.status != .complete || next == 0 || next > span.toNow else {
                return "says that shard \(report.shard) expires next at \(next), and was read at "
                    + "\(span.toNow)"
            }
        }
        guard let sent = changes else { return nil }
        let claimed = ChangeTally(reports)
        // A shard that ended early may keep changes back, and behind a key there are fewer.
        let isWhole = page == nil && reports.allSatisfy { $0.status == .complete }
        guard isWhole ? sent == claimed : sent.isWithin(claimed) else {
            return "sent \(sent.removed) hits that are gone and \(sent.added) that are new, and "
                + "claims \(claimed.removed) and \(claimed.added)"
        }
        return nil
    }
}
