import FresnelModel
import FresnelWire

/// One message of every verb, small enough to be read in hexadecimal.
enum Samples {
    static let envelope = Envelope(
        id: RequestID(high: 0x0011_2233_4455_6677, low: 0x8899_AABB_CCDD_EEFF), part: 3,
        sequence: 5, attempt: 1, epoch: Epoch(7), budget: .milliseconds(500))

    static let document = Document(
        uniqueIdentifier: "sku-1", domainIdentifier: "store.produce",
        expirationDate: Timestamp(wholeSeconds: 800_000_000),
        attributes: [
            "title": .string("Äpfel"), "keywords": .strings(["fruit", "red"]),
            "rating": .number(4.5), "com_example_shelf": .number(12),
        ])

    static let patch = DocumentPatch(
        uniqueIdentifier: "sku-1", relatedUniqueIdentifier: "sku-0", domainIdentifier: .remove,
        expirationDate: .set(Timestamp(wholeSeconds: 800_000_001)),
        attributes: ["rating": .set(.number(5)), "keywords": .remove])

    static var hitBatch: [UInt8] {
        var writer = HitBatchWriter()
        let body = HitBody(
            index: "default", score: 1.5, document: DocumentCoding.encode(document))
        writer.append(key: [1, 0x40, 0x07], body: body.encode())
        return writer.bytes()
    }

    static var messages: [Message] { Verb.allCases.map(message) }

    static func message(of verb: Verb) -> Message {
        let (command, payload) = command(of: verb)
        return Message(envelope, command, payload: payload)
    }

    private static func command(of verb: Verb) -> (Command, [UInt8]?) {
        switch verb {
        case .hello, .welcome, .reject, .challenge, .goodbye, .ping, .pong, .join, .joined:
            (session(verb), nil)
        case .found: (.found(found), hitBatch)
        case .changes: (.changes(changes), hitBatch)
        case .partDone: (.partDone(partDone), hitBatch)
        case .done: (.done(done), hitBatch)
        case .put: (.put(batch.message), batch.payload)
        case .putPart: (.putPart(putPart), batch.payload)
        case .query, .accepted, .subquery, .credit, .cancel, .error, .busy, .statistics,
            .statisticsReply:
            (query(verb), nil)
        case .partAck, .putAck, .fetchState, .state, .assign, .hosted, .status, .statusReply,
            .plan, .planReply:
            (other(verb), nil)
        case .catchUp: (.catchUp(catchUp), nil)
        case .offerReplica: (.offerReplica(offerReplica), nil)
        case .dropReplica: (.dropReplica(dropReplica), nil)
        case .replicaState: (.replicaState(replicaState), nil)
        case .fetchReplica: (.fetchReplica(fetchReplica), nil)
        case .replicaChunk: (.replicaChunk(replicaChunk), [1, 2, 3, 4])
        case .checkReplica: (.checkReplica(checkReplica), nil)
        case .replicaDigest: (.replicaDigest(replicaDigest), nil)
        case .changeIndexes: (.changeIndexes(changeIndexes), nil)
        case .indexesChanged: (.indexesChanged(indexesChanged), nil)
        case .snapshot: (.snapshot(snapshot), nil)
        case .snapshotDone: (.snapshotDone(snapshotDone), nil)
        case .storeShard: (.storeShard(storeShard), nil)
        case .storedShard: (.storedShard(storedShard), nil)
        }
    }

    private static func session(_ verb: Verb) -> Command {
        switch verb {
        case .hello: .hello(hello)
        case .welcome: .welcome(welcome)
        case .reject: .reject(failure)
        case .challenge: .challenge
        case .goodbye: .goodbye
        case .ping: .ping(pulse)
        case .pong: .pong(pulse)
        case .join: .join(join)
        default: .joined
        }
    }

    private static func query(_ verb: Verb) -> Command {
        switch verb {
        case .query: .query(search)
        case .accepted: .accepted(accepted)
        case .subquery: .subquery(subquery)
        case .credit: .credit(credit)
        case .error: .error(failure)
        case .busy: .busy(failure)
        case .statistics: .statistics(subquery)
        case .statisticsReply: .statisticsReply(statistics)
        default: .cancel
        }
    }

    private static func other(_ verb: Verb) -> Command {
        switch verb {
        case .partAck: .partAck(partAck)
        case .putAck: .putAck(putAck)
        case .fetchState: .fetchState(fetchState)
        case .state: .state(clientState)
        case .assign: .assign(assign)
        case .hosted: .hosted(hosted)
        case .statusReply: .statusReply(statusReply)
        case .plan: .plan(plan)
        case .planReply: .planReply(planReply)
        default: .status(WireStatusRequest())
        }
    }
}
