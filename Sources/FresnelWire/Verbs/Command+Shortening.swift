import FresnelModel
internal import SwiftProtobuf

// Every control frame has a limit, and some of what goes into one has none: texts of operating
// systems, reports of many shards, refusals of many operations. A message that does not fit would
// be refused by its receiver and its request never answered, so a sender shortens it: texts first,
// then what the receiver can do without, and says in the message that it did.

extension Command {
    /// Size and limit of a control frame that does not fit; nil when it does.
    package var overflow: (bytes: Int, limit: Int)? {
        guard let limit = verb.rules.control?.limitBytes, let bytes = controlBytes?.count,
            bytes > limit
        else { return nil }
        return (bytes, limit)
    }

    /// The bytes of the control frame, shortened when they are too many.
    var fittedControlBytes: [UInt8]? {
        guard let bytes = controlBytes else { return nil }
        guard bytes.count > verb.rules.control?.limitBytes ?? .max else { return bytes }
        return fitted.controlBytes
    }

    /// The command as it fits its frame; requests, which mean nothing when cut, are left as they
    /// are.
    package var fitted: Command {
        guard let limit = overflow?.limit else { return self }
        return switch self {
        case .reject(let failure): .reject(failure.shortened)
        case .error(let failure): .error(failure.shortened)
        case .busy(let failure): .busy(failure.shortened)
        case .accepted(let accepted): .accepted(accepted.shortened(to: limit))
        case .done(let done): .done(done.shortened(to: limit))
        case .partDone(let done): .partDone(done.shortened(to: limit))
        case .partAck(let ack): .partAck(ack.shortened(to: limit))
        case .putAck(let ack): .putAck(ack.shortened(to: limit))
        case .assign(let assign): .assign(assign.shortened)
        case .statusReply(let reply): .statusReply(reply.shortened(to: limit))
        case .planReply(let reply): .planReply(reply.shortened(to: limit))
        case .hello(let hello): .hello(hello.shortened(to: limit))
        case .ping(let pulse): .ping(pulse.shortened(to: limit))
        case .pong(let pulse): .pong(pulse.shortened(to: limit))
        case .found(let found): .found(found.withoutReports)
        case .hosted(let hosted): .hosted(hosted.shortened(to: limit))
        case .changes(let changes): .changes(changes.shortened)
        case .replicaState(let state): .replicaState(state.shortened)
        case .replicaChunk(let chunk): .replicaChunk(chunk.shortened)
        case .replicaDigest(let digest): .replicaDigest(digest.shortened)
        case .storedShard(let report): .storedShard(report.shortened)
        case .welcome, .challenge, .goodbye, .join, .joined, .query, .subquery, .credit,
            .cancel, .statistics, .statisticsReply, .put, .putPart, .fetchState, .state, .status,
            .catchUp, .offerReplica, .dropReplica, .fetchReplica, .checkReplica, .plan,
            .changeIndexes, .indexesChanged, .snapshot, .snapshotDone, .storeShard:
            self
        }
    }
}

extension String {
    /// The text in at most `limit` bytes of UTF-8, with a mark where it was cut.
    func shortened(to limit: Int) -> String {
        guard utf8.count > limit else { return self }
        let mark = "… (shortened)"
        guard limit > mark.utf8.count else { return "" }
        var text = String.UnicodeScalarView()
        var room = limit - mark.utf8.count
        for scalar in unicodeScalars {
            room -= UTF8.width(scalar)
            guard room >= 0 else { break }
            text.append(scalar)
        }
        return String(text) + mark
    }
}

extension Array where Element: SwiftProtobuf.Message {
    /// As many of the first elements as a repeated field can hold in `limit` bytes.
    func prefix(within limit: Int) -> [Element] {
        var room = limit
        return Array(
            prefix { element in
                room -= element.fieldBytes
                return room >= 0
            })
    }
}

extension SwiftProtobuf.Message {
    /// The size as an element of a repeated field: tag and length are at most 6 bytes.
    var fieldBytes: Int {
        do {
            let bytes: [UInt8] = try serializedBytes()
            return bytes.count + 6
        } catch {
            // As in `controlBytes`: our messages can always be written.
            preconditionFailure("a part of a control frame cannot be written: \(error)")
        }
    }
}

extension UTF8 {
    fileprivate static func width(_ scalar: Unicode.Scalar) -> Int {
        UTF8.encode(scalar)?.count ?? 0
    }
}
