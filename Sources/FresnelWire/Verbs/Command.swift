package import SwiftProtobuf

/// One protocol message without its envelope: the verb and its control frame.
///
/// Boxed, since it is handed through queues: a copy counts one reference, not one for each field.
package indirect enum Command: Equatable, Sendable {
    case hello(WireHello)
    case welcome(WireWelcome)
    case reject(WireFailure)
    case challenge
    case goodbye
    case ping(WirePulse)
    case pong(WirePulse)
    case join(WireJoin)
    case joined
    case query(WireSearch)
    case accepted(WireAccepted)
    case subquery(WireSubquery)
    case found(WireFound)
    case credit(WireCredit)
    case partDone(WirePartDone)
    case done(WireDone)
    case cancel
    case error(WireFailure)
    case busy(WireFailure)
    case statistics(WireSubquery)
    case statisticsReply(WireStatistics)
    case changes(WireChanges)
    case put(WirePut)
    case putPart(WirePutPart)
    case partAck(WirePartAck)
    case putAck(WirePutAck)
    case fetchState(WireFetchState)
    case state(WireClientState)
    case assign(WireAssign)
    case hosted(WireHosted)
    case catchUp(WireCatchUp)
    case offerReplica(WireOfferReplica)
    case dropReplica(WireDropReplica)
    case replicaState(WireReplicaState)
    case fetchReplica(WireFetchReplica)
    case replicaChunk(WireReplicaChunk)
    case checkReplica(WireCheckReplica)
    case replicaDigest(WireReplicaDigest)
    case status(WireStatusRequest)
    case statusReply(WireStatusReply)
    case plan(WirePlanRequest)
    case planReply(WirePlanReply)
    case changeIndexes(WireChangeIndexes)
    case indexesChanged(WireIndexesChanged)
    case snapshot(WireSnapshot)
    case snapshotDone(WireSnapshotDone)
    case storeShard(WireStoreShard)
    case storedShard(WireStoredShard)
}

extension Command {
    /// The verb that goes into the header.
    package var verb: Verb {
        switch self {
        case .hello: .hello
        case .welcome: .welcome
        case .reject: .reject
        case .challenge: .challenge
        case .goodbye: .goodbye
        case .ping: .ping
        case .pong: .pong
        case .join: .join
        case .joined: .joined
        case .query: .query
        case .accepted: .accepted
        case .subquery: .subquery
        case .found: .found
        case .credit: .credit
        case .partDone: .partDone
        case .done: .done
        case .cancel: .cancel
        case .error: .error
        case .busy: .busy
        case .statistics: .statistics
        case .statisticsReply: .statisticsReply
        case .changes: .changes
        case .put: .put
        case .putPart: .putPart
        case .partAck: .partAck
        case .putAck: .putAck
        case .fetchState: .fetchState
        case .state: .state
        case .assign: .assign
        case .hosted: .hosted
        case .catchUp: .catchUp
        case .offerReplica: .offerReplica
        case .dropReplica: .dropReplica
        case .replicaState: .replicaState
        case .fetchReplica: .fetchReplica
        case .replicaChunk: .replicaChunk
        case .checkReplica: .checkReplica
        case .replicaDigest: .replicaDigest
        case .status: .status
        case .statusReply: .statusReply
        case .plan: .plan
        case .planReply: .planReply
        case .changeIndexes: .changeIndexes
        case .indexesChanged: .indexesChanged
        case .snapshot: .snapshot
        case .snapshotDone: .snapshotDone
        case .storeShard: .storeShard
        case .storedShard: .storedShard
        }
    }

    /// The Protocol Buffers message of the control frame; nil for a verb without one.
    package var body: (any SwiftProtobuf.Message)? {
        switch self {
        case .hello(let body): body
        case .welcome(let body): body
        case .reject(let body): body
        case .ping(let body): body
        case .pong(let body): body
        case .join(let body): body
        case .query(let body): body
        case .accepted(let body): body
        case .subquery(let body): body
        case .found(let body): body
        case .credit(let body): body
        case .partDone(let body): body
        case .done(let body): body
        case .error(let body): body
        case .busy(let body): body
        case .statistics(let body): body
        case .statisticsReply(let body): body
        case .changes(let body): body
        case .put(let body): body
        case .putPart(let body): body
        case .partAck(let body): body
        case .putAck(let body): body
        case .fetchState(let body): body
        case .state(let body): body
        case .assign(let body): body
        case .hosted(let body): body
        case .catchUp(let body): body
        case .offerReplica(let body): body
        case .dropReplica(let body): body
        case .replicaState(let body): body
        case .fetchReplica(let body): body
        case .replicaChunk(let body): body
        case .checkReplica(let body): body
        case .replicaDigest(let body): body
        case .status(let body): body
        case .statusReply(let body): body
        case .plan(let body): body
        case .planReply(let body): body
        case .changeIndexes(let body): body
        case .indexesChanged(let body): body
        case .snapshot(let body): body
        case .snapshotDone(let body): body
        case .storeShard(let body): body
        case .storedShard(let body): body
        case .challenge, .goodbye, .joined, .cancel: nil
        }
    }
}
