package import FresnelModel
import FresnelWire

// A broker that lost its state, or got an older one back, would call itself whole: it asks for what
// it knows, and finds that. So workers tell what lies in their directories and was not assigned to
// them, and what the state cannot explain makes answers incomplete until an operator has decided:
// the newest state comes back, or the broker takes over what is there, or it is moved away.

/// What workers hold and the broker's state does not know.
package struct UnknownReplicas: Sendable {
    /// A replica that the state does not explain.
    package struct Replica: Hashable, Sendable {
        package let key: ShardKey
        package let worker: WorkerID
        package let lastSequence: UInt64
        package let reason: Reason
        /// Whether its worker is not here.
        package var isAway = false
    }

    /// Why it is not known.
    package enum Reason: Hashable, Sendable {
        /// Its worker belongs to another cluster.
        case otherCluster
        /// There is no index of that name.
        case unknownIndex
        /// There is another index of that name.
        case otherIndex
        /// The shard is known elsewhere, and not as far as this replica goes.
        case newerThanKnown
        /// Its worker has removed its part of the index, since that was removed.
        case removedSince
    }

    /// What one worker told.
    struct Told: Sendable {
        /// Whether it belongs to another cluster.
        var isForeign: Bool
        /// Whether it holds something and has not told what.
        var isAwaited: Bool
        /// What counts: all of the last time, until all of this time is here.
        var found: [WireFoundReplica]
        var gathering: [WireFoundReplica] = []
        /// Indexes that were removed, as it knows, and whether the state knew one when it said so.
        var removed: Set<RemovedMark> = []
        var contradictsState = false
        var since: Instant
        /// Whether its session is over.
        var isAway = false
        /// Whether anything in it can make an answer incomplete.
        var counts: Bool { !found.isEmpty || contradictsState }
    }

    /// An index that was removed, as a worker knows.
    struct RemovedMark: Hashable, Sendable {
        let name: String
        let identity: IndexIdentity
    }

    private(set) var told: [WorkerID: Told] = [:] {
        didSet {
            holdsAny = told.values.contains { !$0.found.isEmpty || $0.contradictsState }
            awaitsAny = told.values.contains(where: \.isAwaited)
            hasForeign = told.values.contains(where: \.isForeign)
        }
    }
    // What every query asks, and is false in most clusters.
    private var holdsAny = false
    private var awaitsAny = false
    /// Whether a worker of another cluster has told anything.
    private(set) var hasForeign = false
    /// Whether the broker, which had no state, became one of the workers' cluster.
    var hasAdoptedCluster = false

    /// Why indexes could not be taken over, as it was said.
    private var complaints: [String: String] = [:]

    package init() {}

    /// Notes why an index cannot be taken over; false where that was said before.
    mutating func complain(of name: String, _ reason: String) -> Bool {
        complaints.updateValue(reason, forKey: name) != reason
    }

    /// A worker registers: what it tells replaces what a former process of its name told.
    mutating func register(
        _ worker: WorkerID, _ hello: WireHello, isForeign: Bool, at now: Instant
    ) {
        // A process that ran before the broker did names in HELLO what it has open.
        let open = hello.shards.map { shard in
            var found = WireFoundReplica()
            found.index = shard.index
            found.shard = shard.shard
            found.identity = shard.identity
            found.lastSequence = shard.lastSequence
            return found
        }
        if told[worker] == nil, told.count >= Limits.knownDirectories { forgetOldest() }
        told[worker] = Told(
            isForeign: isForeign, isAwaited: hello.holdsReplicas, found: open, since: now)
    }

    /// Takes in what lies in a worker's directory; what it told before counts until it has told
    /// everything.
    mutating func note(
        _ hosted: WireHosted, of worker: WorkerID, in state: ClusterState, at now: Instant
    ) {
        guard hosted.surveyed || !hosted.found.isEmpty, var entry = told[worker] else { return }
        let room = Limits.unknownReplicasPerWorker - entry.gathering.count
        entry.gathering += hosted.found.lazy
            .filter { $0.lastSequence < WireShardInventory.implausible }.prefix(room)
        if hosted.surveyed {
            entry.found = entry.gathering
            entry.gathering = []
            entry.removed = Set(
                hosted.removed.prefix(Limits.rememberedRemovals).map(RemovedMark.init))
            entry.contradictsState = entry.removed.contains { $0.isKnown(to: state) }
            entry.isAwaited = false
            entry.since = now
        }
        told[worker] = entry
    }

    /// A worker has removed a replica, as it was ordered: what it told of it is over.
    mutating func forget(_ key: ShardKey, on worker: WorkerID) {
        guard holdsAny, var entry = told[worker] else { return }
        let isIt = { (found: WireFoundReplica) in
            found.shard == key.shard.number && found.index == key.index
        }
        entry.found.removeAll(where: isIt)
        entry.gathering.removeAll(where: isIt)
        told[worker] = entry
    }

    /// A worker is gone; what it holds is still there.
    ///
    /// One of another cluster, which met a broker that has a cluster of its own, came by mistake.
    mutating func lose(_ worker: WorkerID, from state: ClusterState) {
        guard isForeign(worker), !state.indexes.isEmpty else {
            told[worker]?.isAway = true
            return
        }
        told[worker] = nil
    }

    /// Whether a worker that is away has told what the state may not explain.
    func isOwed(by worker: WorkerID) -> Bool {
        told[worker].map { $0.isAway && $0.counts } ?? false
    }

    /// A worker that is away is gone for good, says the operator; false where it told nothing.
    mutating func dismiss(_ worker: WorkerID) -> Bool {
        guard isOwed(by: worker) else { return false }
        told[worker] = nil
        return true
    }

    /// Makes room for a name: of those that are away the one that counts least.
    private mutating func forgetOldest() {
        let away = told.filter { $0.value.isAway }
        let oldest = away.min { first, second in
            let (one, other) = (first.value, second.value)
            return one.counts == other.counts ? one.since < other.since : !one.counts
        }
        if let oldest { told[oldest.key] = nil }
    }

    /// A worker that holds something and did not tell what, among some.
    func awaited(among workers: some Sequence<WorkerID>) -> WorkerID? {
        workers.first { told[$0]?.isAwaited == true }
    }

    /// Why it is too early to say what there is; nil where it is not.
    ///
    /// It is while a broker without an index was not met by all its workers, or one that has just
    /// come holds something and has not told what.
    func tooEarly(_ state: ClusterState, expected: Int, at now: Instant) -> String? {
        if state.indexes.isEmpty, told.count < expected {
            return "no index is known, and \(told.count) of \(expected) workers have told what "
                + "they hold; start the others"
        }
        guard awaitsAny else { return nil }
        let newcomer = told.first { $0.value.isAwaited && now - $0.value.since < Limits.planPause }
        return newcomer.map { "worker \($0.key) has just come and has not told yet what it holds" }
    }

    /// Whether a worker knows that the very index was removed: nothing of it is copied.
    func isRevived(_ index: IndexState) -> Bool {
        guard holdsAny else { return false }
        let mark = RemovedMark(name: index.name, identity: index.identity)
        return told.values.contains {
            $0.contradictsState && !$0.isForeign && $0.removed.contains(mark)
        }
    }

    /// Whether a worker belongs to another cluster.
    func isForeign(_ worker: WorkerID) -> Bool { told[worker]?.isForeign == true }

    /// What the state does not explain, in order.
    ///
    /// - Parameter newest: the newest part that is known of a shard.
    func replicas(
        in state: ClusterState, newest: (ShardKey) -> UInt64
    ) -> [Replica] {
        guard holdsAny else { return [] }
        var unknown: [Replica] = []
        for (worker, entry) in told {
            // One line is enough: all of it is doubtful.
            for mark in entry.removed
            where entry.contradictsState && !entry.isForeign && mark.isKnown(to: state) {
                let key = ShardKey(index: mark.name, shard: ShardID(0))
                unknown.append(
                    Replica(key: key, worker: worker, lastSequence: 0, reason: .removedSince))
            }
            for found in entry.found {
                let key = ShardKey(index: found.index, shard: ShardID(found.shard))
                guard
                    let reason = entry.isForeign
                        ? .otherCluster : Self.reason(found, key, worker, state, newest)
                else { continue }
                unknown.append(
                    Replica(
                        key: key, worker: worker, lastSequence: found.lastSequence,
                        reason: reason))
            }
        }
        return unknown.sorted { ($0.key, $0.worker) < ($1.key, $1.worker) }
    }

    private static func reason(
        _ found: WireFoundReplica, _ key: ShardKey, _ worker: WorkerID, _ state: ClusterState,
        _ newest: (ShardKey) -> UInt64
    ) -> Reason? {
        let identity = IndexIdentity(found)
        // Its index was removed, and it is still to go.
        guard !state.names.isRemoved(key, on: worker, of: identity) else { return nil }
        guard let index = state.index(named: key.index) else { return .unknownIndex }
        guard index.identity.mayBe(identity), let shard = index[key.shard],
            found.shardCount == 0 || found.shardCount == index.shardCount
        else { return .otherIndex }
        // It is to remove it, or was given it since it told.
        guard !shard.namedWorkers.contains(worker) else { return nil }
        // One that moved away and was put back is behind, and of no use.
        return found.lastSequence > newest(key) ? .newerThanKnown : nil
    }
}

extension UnknownReplicas.RemovedMark {
    init(_ wire: WireRemovedMark) {
        name = wire.index
        identity = IndexIdentity(high: wire.identityHigh, low: wire.identityLow)
    }

    /// Whether the state has the very index.
    func isKnown(to state: ClusterState) -> Bool {
        identity != .unknown && state.index(named: name)?.identity == identity
    }
}

extension IndexIdentity {
    /// Of the index that a replica was made for, as its worker tells.
    init(_ found: WireFoundReplica) {
        self.init(high: found.indexIdentityHigh, low: found.indexIdentityLow)
    }
}

extension UnknownReplicas.Replica {
    /// What it is and what to do, for people.
    package var text: String {
        guard isAway else { return finding }
        return finding + "; worker \(worker) is away: if its directory is gone for good, "
            + "`fresnel drain \(worker)`, and it counts no more"
    }

    private var finding: String {
        let name =
            "worker \(worker) holds shard \(key.shard.number) of index \(key.index) up to part "
            + "\(lastSequence), "
        let wayOut =
            "stop the broker, put its newest cluster-state back and start it; if that is lost, "
        switch reason {
        case .removedSince:
            return "index \(key.index) was removed, says worker \(worker), which has removed its "
                + "part of it; this broker's state is older: stop the broker, put its newest "
                + "cluster-state back and start it; if that is lost, remove the index again "
                + "(`fresnel indexes remove \(key.index)`); if it is wanted, stop the worker and "
                + "remove the file removed-indexes from its directory"
        case .otherCluster:
            return name + "and belongs to another cluster than this broker, whose state is new or "
                + "another one's: " + wayOut + "stop the broker and the workers, remove the "
                + "broker's state, and start the broker once with --adopt; a worker that came here "
                + "by mistake needs another --broker"
        case .unknownIndex:
            return name + "which this broker's state does not know, since it is older or new: "
                + wayOut + "start the broker once with --adopt, and the workers again; if the "
                + "index is not wanted, stop the worker and move indexes/\(key.index) out of its "
                + "directory"
        case .otherIndex:
            return name + "of another index of that name than this broker knows: " + wayOut
                + "stop the worker and move indexes/\(key.index) out of its directory, index what "
                + "is missing again"
        case .newerThanKnown:
            return name + "which is newer than what this broker knows of the shard, and it was not "
                + "given to that worker: the state is older than a move; " + wayOut
                + "stop the worker and move indexes/\(key.index)/\(key.shard.number) out of its "
                + "directory"
        }
    }
}
