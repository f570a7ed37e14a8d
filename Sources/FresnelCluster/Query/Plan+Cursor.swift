import FresnelModel
import FresnelQuery
import FresnelWire

extension QueryPlan {
    /// Reads a search's cursor and takes its context over; nil without one.
    static func cursor(of search: inout WireSearch) throws(PlanRefusal) -> Cursor? {
        guard !search.afterBytes.isEmpty else {
            guard !search.backwards else {
                throw .badOption("backwards without a cursor; give the one to go back from")
            }
            return nil
        }
        guard search.delivery != .found else {
            throw .badOption("a cursor needs an order; ask for settled or final delivery")
        }
        do throws(CursorRefusal) {
            let cursor = try Cursor(search.afterBytes)
            try cursor.stamp(&search)
            return cursor
        } catch {
            throw .cursor(error)
        }
    }

    /// The cursor beside a hit of this query.
    func cursor(at key: [UInt8]) -> Cursor {
        let shards = parts.flatMap(\.targets) + unreachable
        var snapshots: [String: Cursor.Snapshot] = [:]
        for shard in shards {
            let newest = max(snapshots[shard.index]?.sequence ?? .zero, shard.snapshot)
            snapshots[shard.index] = Cursor.Snapshot(shard.identity, at: newest)
        }
        var behind: [ShardKey: SequenceNumber] = [:]
        for shard in shards where shard.snapshot != snapshots[shard.index]?.sequence {
            behind[ShardKey(index: shard.index, shard: shard.shard)] = shard.snapshot
        }
        return Cursor(
            query: digest, context: search.context, snapshots: snapshots, behind: behind, key: key)
    }
}

extension Cursor {
    /// Gives a search the context that the cursor's own was stamped with.
    ///
    /// - Throws: `foreign` when the client asks for another one.
    fileprivate func stamp(_ search: inout WireSearch) throws(CursorRefusal) {
        let context = search.context
        if context.hasNow, context.now != now { throw .foreign("now differs") }
        if !context.timeZone.isEmpty, context.timeZone != timeZone {
            throw .foreign("the time zone is \(timeZone.debugDescription) there")
        }
        if context.firstWeekday != 0, context.firstWeekday != firstWeekday {
            throw .foreign("the first weekday is \(firstWeekday) there")
        }
        if !context.language.isEmpty, context.language != language {
            throw .foreign("the language is \(language.debugDescription) there")
        }
        guard (1...7).contains(firstWeekday) else { throw .damaged("its first weekday is none") }
        search.context.now = now
        search.context.timeZone = timeZone
        search.context.firstWeekday = UInt32(firstWeekday)
        search.context.language = language
        guard search.queryContext.hasKnownZone else { throw .damaged("its time zone is unknown") }
    }

    /// The shards of the cursor's indexes, each to be read at the cursor's sequence number.
    ///
    /// An index that was made later is not part of the answer.
    func placed(_ shards: [SearchableShard]) throws(PlanRefusal) -> [SearchableShard] {
        var placed: [SearchableShard] = []
        for var shard in shards {
            guard let newest = snapshots[shard.index] else { continue }
            guard newest.identity == shard.identity else {
                throw .cursor(.remade(index: shard.index))
            }
            let place = ShardKey(index: shard.index, shard: shard.shard)
            let sequence = behind[place] ?? newest.sequence
            // A shard that is not open is reported as missing, as without a cursor.
            guard sequence <= shard.snapshot || shard.worker == nil else {
                // What the newest batch is shows when all are open.
                if shards.contains(where: { $0.index == shard.index && $0.worker == nil }) {
                    throw .cursor(.early(index: shard.index))
                }
                throw .cursor(
                    .damaged(
                        """
                        it reads index \(shard.index) at \(sequence.value), and the newest batch \
                        known is \(shard.snapshot.value)
                        """))
            }
            shard.snapshot = sequence
            placed.append(shard)
        }
        let missing = Set(snapshots.keys).subtracting(placed.map(\.index))
        if let name = missing.min() {
            throw .cursor(.foreign("it covers index \(name.debugDescription)"))
        }
        return placed
    }
}
