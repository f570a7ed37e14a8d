// The one table of the wire: what each verb may do. Documentation/protocol.md, "Verbs", repeats it
// for readers, and a test compares the two.

extension Verb {
    /// What holds for every message of this verb.
    package var rules: VerbRules {
        guard let rules = Self.table[Int(rawValue)] else {
            preconditionFailure("verb \(rawValue) is missing in its own table")
        }
        return rules
    }

    /// By number, made once: every message is looked up several times.
    private static let table: [VerbRules?] = {
        var table = [VerbRules?](repeating: nil, count: Int(UInt8.max) + 1)
        for verb in allCases { table[Int(verb.rawValue)] = verb.entry }
        return table
    }()

    private var entry: VerbRules {
        switch self {
        case .hello:
            VerbRules("HELLO", .toBroker, .control, control: .large("Hello"))
        case .welcome:
            VerbRules("WELCOME", .fromBroker, .control, control: .small("Welcome"))
        case .reject:
            VerbRules("REJECT", .fromBroker, .either, control: .small("Failure"))
        case .challenge:
            VerbRules("CHALLENGE", .fromBroker, .either)
        case .goodbye:
            VerbRules("GOODBYE", .anywhere, .control)
        case .ping:
            VerbRules("PING", .anywhere, .control, control: .large("Pulse"))
        case .pong:
            VerbRules("PONG", .anywhere, .control, control: .large("Pulse"))
        case .join:
            VerbRules("JOIN", .toBroker, .data, control: .small("Join"))
        case .joined:
            VerbRules("JOINED", .fromBroker, .data)
        case .query:
            VerbRules("QUERY", [.clientToBroker], .control, control: .large("Search"))
        case .accepted:
            VerbRules("ACCEPTED", [.brokerToClient], .control, control: .medium("Accepted"))
        case .subquery:
            VerbRules("SUBQUERY", [.brokerToWorker], .control, control: .part("Subquery"))
        case .found:
            VerbRules(
                "FOUND", [.workerToBroker, .brokerToClient], .data, control: .small("Found"),
                payload: .always)
        case .credit:
            VerbRules(
                "CREDIT", [.clientToBroker, .brokerToWorker], .control, control: .small("Credit"))
        case .partDone:
            VerbRules(
                "PART_DONE", [.workerToBroker], .data, control: .large("PartDone"),
                payload: .optional)
        case .done:
            VerbRules(
                "DONE", [.brokerToClient], .data, control: .large("Done"), payload: .optional)
        case .cancel:
            VerbRules("CANCEL", [.clientToBroker, .brokerToWorker], .control)
        case .error:
            VerbRules("ERROR", .anywhere, .either, control: .small("Failure"))
        case .busy:
            VerbRules(
                "BUSY", [.brokerToClient, .workerToBroker], .either, control: .small("Failure"))
        case .statistics:
            VerbRules("STATISTICS", [.brokerToWorker], .control, control: .part("Subquery"))
        case .statisticsReply:
            VerbRules(
                "STATISTICS_REPLY", [.workerToBroker], .control, control: .medium("Statistics"))
        case .changes:
            VerbRules(
                "CHANGES", [.brokerToClient], .data, control: .large("Changes"),
                payload: .optional)
        case .put:
            VerbRules("PUT", [.clientToBroker], .data, control: .large("Put"), payload: .optional)
        case .putPart:
            VerbRules(
                "PUT_PART", [.brokerToWorker], .data, control: .part("PutPart"), payload: .optional)
        case .partAck:
            VerbRules("PART_ACK", [.workerToBroker], .data, control: .large("PartAck"))
        case .putAck:
            VerbRules("PUT_ACK", [.brokerToClient], .data, control: .large("PutAck"))
        case .fetchState:
            VerbRules("FETCH_STATE", [.clientToBroker], .control, control: .small("FetchState"))
        case .state:
            VerbRules("STATE", [.brokerToClient], .control, control: .small("ClientState"))
        case .assign:
            VerbRules("ASSIGN", [.brokerToWorker], .control, control: .large("Assign"))
        case .hosted:
            VerbRules("HOSTED", [.workerToBroker], .control, control: .large("Hosted"))
        case .catchUp:
            VerbRules("CATCH_UP", [.brokerToWorker], .control, control: .small("CatchUp"))
        case .offerReplica:
            VerbRules("OFFER_REPLICA", [.brokerToWorker], .control, control: .small("OfferReplica"))
        case .dropReplica:
            VerbRules("DROP_REPLICA", [.brokerToWorker], .control, control: .small("DropReplica"))
        case .replicaState:
            VerbRules("REPLICA_STATE", [.workerToBroker], .control, control: .small("ReplicaState"))
        case .fetchReplica:
            VerbRules(
                "FETCH_REPLICA", [.workerToWorker], .transfer, control: .small("FetchReplica"))
        case .replicaChunk:
            VerbRules(
                "REPLICA_CHUNK", [.workerToWorker], .transfer, control: .small("ReplicaChunk"),
                payload: .optional)
        case .checkReplica:
            VerbRules("CHECK_REPLICA", [.brokerToWorker], .control, control: .small("CheckReplica"))
        case .replicaDigest:
            VerbRules(
                "REPLICA_DIGEST", [.workerToBroker], .control, control: .small("ReplicaDigest"))
        case .status:
            VerbRules("STATUS", [.clientToBroker], .control, control: .small("StatusRequest"))
        case .statusReply:
            VerbRules("STATUS_REPLY", [.brokerToClient], .control, control: .large("StatusReply"))
        case .plan:
            VerbRules("PLAN", [.clientToBroker], .control, control: .small("PlanRequest"))
        case .planReply:
            VerbRules("PLAN_REPLY", [.brokerToClient], .control, control: .large("PlanReply"))
        case .changeIndexes:
            VerbRules(
                "CHANGE_INDEXES", [.clientToBroker], .control, control: .small("ChangeIndexes"))
        case .indexesChanged:
            VerbRules(
                "INDEXES_CHANGED", [.brokerToClient], .control, control: .large("IndexesChanged"))
        case .snapshot:
            VerbRules("SNAPSHOT", [.clientToBroker], .control, control: .part("Snapshot"))
        case .snapshotDone:
            VerbRules("SNAPSHOT_DONE", [.brokerToClient], .control, control: .part("SnapshotDone"))
        case .storeShard:
            VerbRules("STORE_SHARD", [.brokerToWorker], .control, control: .part("StoreShard"))
        case .storedShard:
            VerbRules("STORED_SHARD", [.workerToBroker], .control, control: .large("StoredShard"))
        }
    }
}
