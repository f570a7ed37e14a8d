import FresnelModel
import FresnelWire

/// What a broker knows of changes of its indexes beside what the cluster state says.
///
/// Nothing here needs to last: a broker that starts finds every index, alias and removed replica in
/// the state. Only an answer that a client lost is lost for good, and the change shows all the
/// same.
struct IndexCatalogue: Sendable {
    /// An answer that waits for its version of the cluster state to be durable.
    struct Answer: Sendable {
        let version: UInt64
        var session: SessionID
        var request: Envelope
        let reply: WireIndexesChanged
        /// Until when the answer waits for the shards of the index that is made; nil for others.
        let opensUntil: Instant?
    }

    /// In the order of their versions.
    private var waiting: [Answer] = []
    /// The newest answers that were given, oldest first.
    private var given: [Answer] = []
    /// When workers were told to remove what is left of removed indexes.
    private var told: [ReplicaName: Instant] = [:]
    /// Since when they are to be told.
    private var due: [ReplicaName: Instant] = [:]
    /// Why they could not.
    private(set) var failures: [ReplicaName: String] = [:]
    /// Indexes that are not durable yet, and the version of the cluster state that makes them so.
    private var unsaved: [String: UInt64] = [:]

    /// Whether one more change may wait for the disk.
    var hasRoom: Bool { waiting.count < Limits.indexChanges }

    /// The answer to a request that was carried out before; nil for a new one, or while it waits.
    func answer(to id: RequestID) -> WireIndexesChanged? {
        given.first { $0.request.id == id }?.reply
    }

    /// Lets a request that came again be answered where it came from; false for a new one.
    mutating func rejoin(_ request: Envelope, of session: SessionID) -> Bool {
        guard let place = waiting.firstIndex(where: { $0.request.id == request.id }) else {
            return false
        }
        (waiting[place].session, waiting[place].request) = (session, request)
        return true
    }

    /// An answer waits until the state is durable.
    mutating func wait(_ answer: Answer) { waiting.append(answer) }

    /// Whether answers wait.
    var isWaiting: Bool { !waiting.isEmpty }

    /// Indexes whose makers wait for their shards.
    var opening: [String] { waiting.compactMap { $0.opensUntil == nil ? nil : $0.reply.index } }

    /// The answers that can be given now.
    ///
    /// - Parameters:
    ///   - version: of the cluster state that is durable.
    ///   - open: the indexes that can be searched whole, of those that are made.
    mutating func takeReady(
        _ version: UInt64, open: Set<String>, at now: Instant
    ) -> [Answer] {
        var ready: [Answer] = []
        waiting.removeAll { answer in
            let opens = answer.opensUntil.map { $0 > now && !open.contains(answer.reply.index) }
            guard answer.version <= version, opens != true else { return false }
            ready.append(answer)
            return true
        }
        if !ready.isEmpty { given = (given + ready).suffix(Limits.indexChanges) }
        return ready
    }

    /// The answers that cannot be given, since the disk refuses what is newer than a version.
    mutating func takeUnwritten(after version: UInt64) -> [Answer] {
        let unwritten = waiting.filter { $0.version > version }
        waiting.removeAll { $0.version > version }
        return unwritten
    }

    /// An index was made with this version of the state; another one is durable.
    mutating func noteMade(_ index: String, version: UInt64, durable: UInt64) {
        unsaved = unsaved.filter { $0.value > durable }
        unsaved[index] = version
    }

    /// Whether an index is newer than the version of the state that is durable.
    func isUnsaved(_ index: String, durable: UInt64) -> Bool {
        unsaved[index].map { $0 > durable } ?? false
    }

    /// The indexes that a version of the state, the newest that is durable, does not have; they
    /// are not any more to be made so.
    mutating func takeUnsaved(after version: UInt64) -> [String] {
        defer { unsaved = [:] }
        return unsaved.filter { $0.value > version }.keys.sorted()
    }

    /// Whether a worker is to be told to remove its replica now.
    ///
    /// - Parameter isAsked: whether queries are still to be answered from it; they have some time.
    mutating func mayTell(_ replica: ReplicaName, isAsked: Bool, at now: Instant) -> Bool {
        let since = due[replica] ?? now
        due[replica] = since
        guard !isAsked || now - since >= Limits.dropPatience else { return false }
        if let told = told[replica], now - told < Limits.dropRetry { return false }
        told[replica] = now
        return true
    }

    /// A worker could not remove its replica; whether that is news.
    mutating func noteFailure(_ reason: String, of replica: ReplicaName) -> Bool {
        failures.updateValue(reason, forKey: replica) != reason
    }

    /// Why a replica of a removed index could not be removed; nil where nobody said so.
    func failure(of index: String) -> String? {
        failures.filter { $0.key.shard.index == index }.min { $0.key < $1.key }.map {
            "\($0.key.worker): \($0.value)"
        }
    }

    /// A worker has removed its replica.
    mutating func forget(_ replica: ReplicaName) {
        told[replica] = nil
        due[replica] = nil
        failures[replica] = nil
    }

    /// A worker's session ended: what it was told may not have reached it.
    mutating func forget(_ worker: WorkerID) {
        guard !told.isEmpty else { return }
        told = told.filter { $0.key.worker != worker }
    }
}
