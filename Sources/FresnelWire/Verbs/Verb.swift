/// What a message asks or says: byte 3 of the header.
///
/// Numbers are never reused: 1 session, 16 query, 32 write, 48 cluster, 64 administration.
package enum Verb: UInt8, Hashable, Sendable, CaseIterable {
    case hello = 1
    case welcome = 2
    case reject = 3
    case challenge = 4
    case goodbye = 5
    case ping = 6
    case pong = 7
    case join = 8
    case joined = 9
    case query = 16
    case accepted = 17
    case subquery = 18
    case found = 19
    case credit = 20
    case partDone = 21
    case done = 22
    case cancel = 23
    case error = 24
    case busy = 25
    case statistics = 26
    case statisticsReply = 27
    case changes = 28
    case put = 32
    case putPart = 33
    case partAck = 34
    case putAck = 35
    case fetchState = 36
    case state = 37
    case assign = 48
    case hosted = 49
    case catchUp = 50
    case offerReplica = 51
    case dropReplica = 52
    case replicaState = 53
    case fetchReplica = 54
    case replicaChunk = 55
    case checkReplica = 60
    case replicaDigest = 61
    case status = 64
    case statusReply = 65
    case plan = 66
    case planReply = 67
    case changeIndexes = 68
    case indexesChanged = 69
    case snapshot = 70
    case snapshotDone = 71
    case storeShard = 72
    case storedShard = 73
}

extension Verb: CustomStringConvertible {
    /// The name as the protocol's text writes it: `PART_DONE`.
    package var description: String { rules.name }
}
