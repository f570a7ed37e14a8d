// What the shards say of a batch's operations, put together (protocol.md, W-12).
//
// An operation that one shard got is refused when that shard refuses it. A deletion that all shards
// got is reported when one of them could not carry it out. An UPDATE that all got changed the
// document where it lives: the others have none, which is a refusal only if all of them say so.

/// The refusals of a batch, gathered from its parts.
package struct ItemVerdicts: Sendable {
    /// By position; the first refusal of an operation counts.
    private var refusals: [UInt32: WireItemResult] = [:]
    /// Operations that any one shard may carry out, with what is known of them.
    private var searched: [UInt32: Search] = [:]

    private struct Search: Sendable {
        /// Whether some shard carried it out.
        var isApplied = false
        /// What a shard said that could not answer.
        var failure: WireItemResult?
        /// What a shard said that has no such document.
        var absence: WireItemResult?
    }

    /// Begins a batch, split with the same `holdsRelated`.
    package init(_ operations: [WireOperation], holdsRelated: Bool) {
        for operation in operations
        where operation.kind == .update && !operation.isRouted(holdsRelated: holdsRelated) {
            searched[operation.position] = Search()
        }
    }

    /// Takes in one shard's answer to its part; what it says of others' operations does not count.
    package mutating func settle(_ operations: [WireOperation], refusals: [WireItemResult]) {
        guard !refusals.isEmpty || !searched.isEmpty else { return }
        let own = Set(operations.map(\.position))
        var refused: Set<UInt32> = []
        for result in refusals
        where own.contains(result.position) && refused.insert(result.position).inserted {
            if result.code == ErrorCode.unknownItem.number, searched[result.position] != nil {
                searched[result.position]?.absence = result
            } else {
                refuse(result)
            }
        }
        for operation in operations where !refused.contains(operation.position) {
            searched[operation.position]?.isApplied = true
        }
    }

    /// Gives one shard's part up: each of its operations is reported, also one that only
    /// superseded, since its document would be found twice.
    package mutating func fail(_ operations: [WireOperation], _ failure: WireFailure) {
        for operation in operations {
            var result = WireItemResult()
            result.position = operation.position
            result.code = failure.code
            result.message = failure.message
            if searched[operation.position] == nil {
                refuse(result)
            } else {
                searched[operation.position]?.failure = result
            }
        }
    }

    /// Whether an operation that one shard got was refused.
    package func isRefused(_ operation: WireOperation) -> Bool {
        refusals[operation.position] != nil
    }

    /// The refusals, in the order of the batch.
    package var results: [WireItemResult] {
        var results = refusals
        for (position, search) in searched where results[position] == nil && !search.isApplied {
            results[position] = search.failure ?? search.absence
        }
        return results.values.sorted { $0.position < $1.position }
    }

    private mutating func refuse(_ result: WireItemResult) {
        if refusals[result.position] == nil { refusals[result.position] = result }
    }
}
