@testable import FresnelCluster
import FresnelModel
import FresnelWire
import TestChance

extension Simulation {
    /// Sends from a peer to the broker; without a connection the message is gone.
    mutating func send(_ message: Message, from peer: ProcessName, lane: Lane) {
        guard let connection = network.connection(of: peer, lane) else {
            tally.note(.lostMessage)
            trace.note(now, "\(peer) drops \(message.verb): no \(lane) connection")
            return
        }
        post(message, on: connection, toBroker: true)
        // A client whose request is doubled must not notice.
        let isDoubled = !isCalm && shape.hasMishaps && random.chance(2)
        switch peer {
        case .client where isDoubled, .worker where isDoubled && message.verb == .partAck:
            tally.note(.doubledMessage)
            post(message, on: connection, toBroker: true)
        case .client, .worker, .broker: break
        }
    }

    mutating func send(_ message: Message, to address: PeerAddress) {
        guard let connection = network.connection(at: address) else {
            trace.note(now, "broker cannot reach \(address.routingID) with \(message.verb)")
            unreachable.append(address)
            return
        }
        switch network[connection].peer {
        case .worker(let number): noteGrant(message, to: number)
        case .client: noteStall(message, connection)
        case .broker: break
        }
        post(message, on: connection, toBroker: false)
        // What says a total, an end or a numbered part may be said twice.
        let mayBeDoubled = [.credit, .cancel, .putPart, .accepted, .putAck].contains(message.verb)
        if mayBeDoubled, !isCalm, shape.hasMishaps, random.chance(2) {
            tally.note(.doubledMessage)
            post(message, on: connection, toBroker: false)
        }
    }

    private mutating func post(_ message: Message, on connection: Int, toBroker: Bool) {
        var message = message
        if random.chance(5) {
            do {
                message = try Message(frames: message.frames())
            } catch {
                violate(.messagesReadable, "\(message.verb) does not survive the wire: \(error)")
            }
        }
        let at = network.arrival(on: connection, toBroker: toBroker, at: now, &random)
        if at - now > .milliseconds(100) { tally.note(.lateMessage) }
        if network.overtakes(connection, toBroker: toBroker, at: at) {
            tally.note(.overtakingMessage)
        }
        agenda.add(.arrival(message, connection: connection, toBroker: toBroker), at: at)
    }

    mutating func arrive(_ message: Message, on number: Int, toBroker: Bool) {
        let connection = network[number]
        guard connection.delivers(at: now) else { return tally.note(.lostMessage) }
        if trace.isOn {
            let text = describe(message, connection, toBroker)
            trace.note(now, text)
        }
        if toBroker {
            guard connection.brokerBoot == broker.boot, broker.core != nil else { return }
            return tell(.received(message, from: connection.address))
        }
        guard !connection.isForgotten else { return }
        switch connection.peer {
        case .broker: break
        case .worker(let worker):
            guard workers[worker].boot == connection.boot, workers[worker].core != nil else {
                return
            }
            if takesOrder(message, worker) { return }
            tell(worker, .received(message, lane: connection.lane))
        case .client(let client):
            guard let (hits, end) = message.unfolded else {
                return tell(client, client: .received(message, lane: connection.lane))
            }
            tell(client, client: .received(hits, lane: connection.lane))
            tell(client, client: .received(end, lane: connection.lane))
        }
    }

    private func describe(_ message: Message, _ connection: Connection, _ toBroker: Bool) -> String
    {
        let ends = toBroker ? "\(connection.peer) → broker" : "broker → \(connection.peer)"
        let envelope = message.envelope
        var text = "\(ends) \(message.verb)"
        if envelope.id != .session { text += " id \(envelope.id.high):\(envelope.id.low)" }
        if envelope.part != Envelope.mergedPart { text += " part \(envelope.part)" }
        switch message.command {
        case .putPart(let part):
            text +=
                " seq \(envelope.sequence) after \(part.previousSequence) batch \(part.batchNumber)"
        case .partAck(let ack):
            text += " seq \(envelope.sequence) last \(ack.lastSequence)"
            if ack.hasError { text += " error \(ack.error.code)" }
        case .putAck(let ack): text += " seq \(ack.sequence) refusals \(ack.refusals.count)"
        case .put(let put): text += " batch \(put.batchNumber) of client \(put.clientLow)"
        case .found(let found):
            text += " #\(envelope.sequence) items \(found.items) total \(found.total)"
            text += Self.span(message.payload)
            if !found.boundBytes.isEmpty { text += " bound \(Self.text(found.boundBytes[...]))" }
        case .credit(let credit):
            text += " items \(credit.items)"
            if credit.enough { text += " enough" }
            let key = credit.thresholdBytes[...]
            if !key.isEmpty { text += " threshold \(Self.text(key))" }
        case .done(let done):
            text += " \(done.status) found \(done.found) delivered \(done.delivered)"
            text += Self.lacks(done.shards)
        case .partDone(let done): text += Self.lacks(done.shards)
        case .subquery(let subquery) where subquery.hasChanges:
            text += subquery.targets.map { " \($0.shard):\($0.since)…\($0.snapshot)" }.joined()
        case .subquery(let subquery):
            text += subquery.targets.map { " \($0.index)/\($0.shard)@\($0.snapshot)" }.joined()
        case .changes(let changes):
            text += " #\(envelope.sequence) round \(changes.round) items \(changes.items)"
            if changes.hasReached { text += " to \(changes.reached.to.map(\.sequence))" }
        case .busy(let failure), .error(let failure), .reject(let failure):
            text += " \(failure.code) \(failure.message)"
        case .query(let search):
            text += " \(search.query) credit \(search.creditItems) delivery \(search.delivery)"
        default: break
        }
        return text
    }

    /// What is not whole of an answer, or of a part of one.
    static func lacks(_ reports: [WireShardReport]) -> String {
        reports.filter { $0.status != .complete || $0.searched != $0.owned }.map {
            " [\($0.index)/\($0.shard) \($0.status) \($0.searched) of \($0.owned) \($0.message)]"
        }.joined()
    }

    /// The first and the last hit of a batch.
    private static func span(_ payload: [UInt8]?) -> String {
        guard let batch = try? HitBatchReader(payload ?? []), batch.count > 0 else { return "" }
        return " \(text(batch.key(0))) to \(text(batch.key(batch.count - 1)))"
    }

    /// A sort key for people: its number, and as much of the identifier as there is.
    static func text(_ key: ArraySlice<UInt8>) -> String {
        let bits = key.dropFirst().prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // No number here is negative; descending, all bits are the other way round.
        let number = Double(bitPattern: (bits >> 63 == 1 ? bits : ~bits) ^ 1 << 63)
        let rest = key.dropFirst(9).filter { $0 > 32 && $0 < 127 }
        return "\(number):" + String(decoding: rest, as: UTF8.self)
    }

    // MARK: connections

    mutating func connect(_ process: ProcessName, _ lane: Lane, boot: Int) {
        guard isRunning(process, boot: boot), network.connection(of: process, lane) == nil else {
            return
        }
        guard broker.core != nil else {
            return agenda.add(
                .connect(process, lane, boot: boot), at: now + random.milliseconds(50...150))
        }
        let connection = network.open(process, boot: boot, lane, brokerBoot: broker.boot)
        trace.note(now, "\(process) connects \(lane) as \(connection)")
        let at = network.arrival(on: connection, toBroker: true, at: now, &random)
        agenda.add(.probe(connection: connection), at: at)
    }

    mutating func connectData(_ process: ProcessName, boot: Int) {
        if let former = network.connection(of: process, .data) {
            network[former].isForgotten = true
            network.close(former, at: now, readableFor: random.milliseconds(0...5))
        }
        agenda.add(.connect(process, .data, boot: boot), at: now + random.milliseconds(0...20))
    }

    /// Breaks a connection; both ends come to know by and by, and the peer connects again.
    mutating func breakConnection(_ connection: Int) {
        guard network[connection].isOpen else { return }
        network.close(connection, at: now, readableFor: random.milliseconds(0...20))
        let broken = network[connection]
        agenda.add(
            .connect(broken.peer, broken.lane, boot: broken.boot),
            at: now + random.milliseconds(10...300))
    }

    private func isRunning(_ process: ProcessName, boot: Int) -> Bool {
        switch process {
        case .broker: true
        case .worker(let number): workers[number].boot == boot && workers[number].core != nil
        case .client: true
        }
    }

    private mutating func noteGrant(_ message: Message, to worker: Int) {
        let part = CreditLedger.Part(
            brokerBoot: UInt64(broker.boot), worker: worker, query: message.envelope.id.low,
            part: message.envelope.part)
        switch message.command {
        case .subquery(let subquery):
            checkRead(subquery, worker)
            // The second round of facets reads what the first did.
            if subquery.rest.isEmpty { noteReading(subquery, message.envelope) }
            ledger.grant(
                part, items: subquery.search.creditItems, bytes: subquery.search.creditBytes)
        case .credit(let credit):
            ledger.grant(part, items: credit.items, bytes: credit.bytes)
        default: break
        }
    }
}
