internal import SwiftProtobuf

// Protocol Buffers at the border of the module: the generated types and the bytes of the control
// frame, nothing of Foundation. Sizes were checked before anything here runs.

extension Command {
    /// The bytes of the control frame; nil for a verb without one.
    package var controlBytes: [UInt8]? {
        do {
            return try written()
        } catch {
            // proto3 messages have no required fields and ours stay far below 2 GiB.
            preconditionFailure("the control frame of \(verb) cannot be written: \(error)")
        }
    }

    /// One call for each type, so that the writer is compiled for each.
    private func written() throws -> [UInt8]? {
        switch self {
        case .hello(let body): try ControlFrameWriter.bytes(of: body)
        case .welcome(let body): try ControlFrameWriter.bytes(of: body)
        case .reject(let body): try ControlFrameWriter.bytes(of: body)
        case .ping(let body): try ControlFrameWriter.bytes(of: body)
        case .pong(let body): try ControlFrameWriter.bytes(of: body)
        case .join(let body): try ControlFrameWriter.bytes(of: body)
        case .query(let body): try ControlFrameWriter.bytes(of: body)
        case .accepted(let body): try ControlFrameWriter.bytes(of: body)
        case .subquery(let body): try ControlFrameWriter.bytes(of: body)
        case .found(let body): try ControlFrameWriter.bytes(of: body)
        case .credit(let body): try ControlFrameWriter.bytes(of: body)
        case .partDone(let body): try ControlFrameWriter.bytes(of: body)
        case .done(let body): try ControlFrameWriter.bytes(of: body)
        case .error(let body): try ControlFrameWriter.bytes(of: body)
        case .busy(let body): try ControlFrameWriter.bytes(of: body)
        case .statistics(let body): try ControlFrameWriter.bytes(of: body)
        case .statisticsReply(let body): try ControlFrameWriter.bytes(of: body)
        case .changes(let body): try ControlFrameWriter.bytes(of: body)
        case .put(let body): try ControlFrameWriter.bytes(of: body)
        case .putPart(let body): try ControlFrameWriter.bytes(of: body)
        case .partAck(let body): try ControlFrameWriter.bytes(of: body)
        case .putAck(let body): try ControlFrameWriter.bytes(of: body)
        case .fetchState(let body): try ControlFrameWriter.bytes(of: body)
        case .state(let body): try ControlFrameWriter.bytes(of: body)
        case .assign(let body): try ControlFrameWriter.bytes(of: body)
        case .hosted(let body): try ControlFrameWriter.bytes(of: body)
        case .catchUp(let body): try ControlFrameWriter.bytes(of: body)
        case .offerReplica(let body): try ControlFrameWriter.bytes(of: body)
        case .dropReplica(let body): try ControlFrameWriter.bytes(of: body)
        case .replicaState(let body): try ControlFrameWriter.bytes(of: body)
        case .fetchReplica(let body): try ControlFrameWriter.bytes(of: body)
        case .replicaChunk(let body): try ControlFrameWriter.bytes(of: body)
        case .checkReplica(let body): try ControlFrameWriter.bytes(of: body)
        case .replicaDigest(let body): try ControlFrameWriter.bytes(of: body)
        case .status(let body): try ControlFrameWriter.bytes(of: body)
        case .statusReply(let body): try ControlFrameWriter.bytes(of: body)
        case .plan(let body): try ControlFrameWriter.bytes(of: body)
        case .planReply(let body): try ControlFrameWriter.bytes(of: body)
        case .changeIndexes(let body): try ControlFrameWriter.bytes(of: body)
        case .indexesChanged(let body): try ControlFrameWriter.bytes(of: body)
        case .snapshot(let body): try ControlFrameWriter.bytes(of: body)
        case .snapshotDone(let body): try ControlFrameWriter.bytes(of: body)
        case .storeShard(let body): try ControlFrameWriter.bytes(of: body)
        case .storedShard(let body): try ControlFrameWriter.bytes(of: body)
        case .challenge, .goodbye, .joined, .cancel: nil
        }
    }

    /// Reads the control frame that `verb` demands; `control` is empty for a verb without one.
    init(_ verb: Verb, control: [UInt8]) throws(WireError) {
        do {
            self = try Self.parse(verb, control)
        } catch {
            throw .control(verb, reason: Self.reason(error))
        }
    }

    private static func parse(_ verb: Verb, _ bytes: [UInt8]) throws -> Command {
        switch verb {
        case .hello: .hello(try read(bytes))
        case .welcome: .welcome(try read(bytes))
        case .reject: .reject(try read(bytes))
        case .challenge: .challenge
        case .goodbye: .goodbye
        case .ping: .ping(try read(bytes))
        case .pong: .pong(try read(bytes))
        case .join: .join(try read(bytes))
        case .joined: .joined
        case .query: .query(try read(bytes))
        case .accepted: .accepted(try read(bytes))
        case .subquery: .subquery(try read(bytes))
        case .found: .found(try read(bytes))
        case .credit: .credit(try read(bytes))
        case .partDone: .partDone(try read(bytes))
        case .done: .done(try read(bytes))
        case .cancel: .cancel
        case .error: .error(try read(bytes))
        case .busy: .busy(try read(bytes))
        case .statistics: .statistics(try read(bytes))
        case .statisticsReply: .statisticsReply(try read(bytes))
        case .changes: .changes(try read(bytes))
        case .put: .put(try read(bytes))
        case .putPart: .putPart(try read(bytes))
        case .partAck: .partAck(try read(bytes))
        case .putAck: .putAck(try read(bytes))
        case .fetchState: .fetchState(try read(bytes))
        case .state: .state(try read(bytes))
        case .assign: .assign(try read(bytes))
        case .hosted: .hosted(try read(bytes))
        case .catchUp: .catchUp(try read(bytes))
        case .offerReplica: .offerReplica(try read(bytes))
        case .dropReplica: .dropReplica(try read(bytes))
        case .replicaState: .replicaState(try read(bytes))
        case .fetchReplica: .fetchReplica(try read(bytes))
        case .replicaChunk: .replicaChunk(try read(bytes))
        case .checkReplica: .checkReplica(try read(bytes))
        case .replicaDigest: .replicaDigest(try read(bytes))
        case .status: .status(try read(bytes))
        case .statusReply: .statusReply(try read(bytes))
        case .plan: .plan(try read(bytes))
        case .planReply: .planReply(try read(bytes))
        case .changeIndexes: .changeIndexes(try read(bytes))
        case .indexesChanged: .indexesChanged(try read(bytes))
        case .snapshot: .snapshot(try read(bytes))
        case .snapshotDone: .snapshotDone(try read(bytes))
        case .storeShard: .storeShard(try read(bytes))
        case .storedShard: .storedShard(try read(bytes))
        }
    }

    /// Messages inside each other in one control frame, at most (F-8).
    static let depthLimit = 8

    private static func read<Body: SwiftProtobuf.Message>(_ bytes: [UInt8]) throws -> Body {
        if let body = ControlFrameReader.read(Body.self, bytes) { return body }
        var options = BinaryDecodingOptions()
        options.messageDepthLimit = depthLimit
        // Skipped (F-8): what nobody reads is neither kept nor sent on.
        options.discardUnknownFields = true
        return try Body(serializedBytes: bytes, options: options)
    }

    private static func reason(_ error: any Error) -> String {
        guard let error = error as? BinaryDecodingError else { return "\(error)" }
        return switch error {
        case .truncated: "it breaks off"
        case .invalidUTF8: "a text is not UTF-8"
        case .malformedProtobuf: "it is not Protocol Buffers"
        case .messageDepthLimit: "it is nested too deeply"
        default: "it is not Protocol Buffers (\(error))"
        }
    }
}
