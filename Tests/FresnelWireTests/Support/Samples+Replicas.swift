import FresnelKernels
import FresnelWire

extension Samples {
    static let catchUp = made(WireCatchUp()) {
        $0.index = "default"
        $0.indexIdentityHigh = 1
        $0.indexIdentityLow = 2
        $0.shard = 3
        $0.epoch = 7
        $0.ticketHigh = 5
        $0.ticketLow = 6
        $0.donorEndpoint = "tcp://127.0.0.1:7720"
        $0.donorWorker = "w2"
        $0.donorIdentity = 9
    }
    static let offerReplica = made(WireOfferReplica()) {
        $0.index = "default"
        $0.indexIdentityHigh = 1
        $0.indexIdentityLow = 2
        $0.shard = 3
        $0.epoch = 7
        $0.ticketHigh = 5
        $0.ticketLow = 6
        $0.receiverWorker = "w1"
        $0.bytesPerSecond = 64 << 20
    }
    static let dropReplica = made(WireDropReplica()) {
        $0.index = "default"
        $0.indexIdentityHigh = 1
        $0.indexIdentityLow = 2
        $0.shard = 3
        $0.epoch = 8
    }
    static let replicaState = made(WireReplicaState()) {
        $0.index = "default"
        $0.shard = 3
        $0.epoch = 7
        $0.ticketHigh = 5
        $0.ticketLow = 6
        $0.phase = .failed
        $0.bytesDone = 1 << 20
        $0.bytesTotal = 4 << 20
        $0.lastSequence = 41
        $0.identity = 10
        $0.failure = failure
    }
    static let fetchReplica = made(WireFetchReplica()) {
        $0.ticketHigh = 5
        $0.ticketLow = 6
        $0.piece = .file
        $0.file = "000102030405060708090a0b0c0d0e0f.seg"
        $0.offset = 1 << 19
        $0.length = 1 << 19
    }
    static let replicaChunk = made(WireReplicaChunk()) {
        $0.ticketHigh = 5
        $0.ticketLow = 6
        $0.piece = .journal
        $0.afterSequence = 40
        $0.total = 4
        $0.checksum = Hash.checksum(of: [1, 2, 3, 4])
        $0.lastSequence = 41
    }
    static let checkReplica = made(WireCheckReplica()) {
        $0.index = "default"
        $0.shard = 3
        $0.epoch = 7
        $0.round = 12
        $0.sequence = 41
        $0.now = 780_000_000
    }
    static let replicaDigest = made(WireReplicaDigest()) {
        $0.index = "default"
        $0.shard = 3
        $0.epoch = 7
        $0.round = 12
        $0.sequence = 41
        $0.documents = 100
        $0.hashHigh = 3
        $0.hashLow = 4
        $0.failure = failure
    }
}

extension Largest {
    /// The largest message about a copy.
    static func replica(_ verb: Verb, text: String) -> Command? {
        switch verb {
        case .catchUp:
            .catchUp(Samples.made(Samples.catchUp) { $0.donorEndpoint = String(text.prefix(200)) })
        case .offerReplica: .offerReplica(Samples.offerReplica)
        case .dropReplica: .dropReplica(Samples.dropReplica)
        case .replicaState:
            .replicaState(Samples.made(Samples.replicaState) { $0.failure = failure(text) })
        case .fetchReplica: .fetchReplica(Samples.fetchReplica)
        case .replicaChunk:
            .replicaChunk(Samples.made(Samples.replicaChunk) { $0.failure = failure(text) })
        case .checkReplica: .checkReplica(Samples.checkReplica)
        case .replicaDigest:
            .replicaDigest(Samples.made(Samples.replicaDigest) { $0.failure = failure(text) })
        default: nil
        }
    }
}
