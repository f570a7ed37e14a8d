@testable import FresnelCluster
import FresnelModel
import FresnelWire
import TestChance

extension ShardStandings.Standing {
    /// Without what depends on which replica's turn it is.
    fileprivate var comparable: [SearchableShard] {
        shards.map { shard in
            var shard = shard
            if shard.isReplicated { shard.settledSequence = nil }
            return shard
        }
    }
}

extension Simulation {
    var moment: Moment {
        moment(ofClockAhead: clocks.broker)
    }

    /// Whether last hits travel with the end behind them.
    var foldsEnds: Bool { seed % 2 == 0 }

    mutating func tell(_ event: BrokerEvent) {
        guard broker.core != nil else { return }
        let moment = moment
        let effects = broker.core?.decide(event, at: moment) ?? []
        // After any other event nothing is remembered.
        if !event.mayMoveShards { checkStandings() }
        perform(effects)
    }

    /// Where the broker believes the shards to stand without looking is where they stand.
    private mutating func checkStandings() {
        guard let core = broker.core else { return }
        let (shards, standings) = core.standings.remembered
        let areOld = shards.contains {
            $0.value != core.presentShards(of: $0.key)
        }
        let areOthers = standings.contains { indexes, standing in
            let now = ShardStandings.Standing(
                core.presentShards(of: indexes), structureVersion: core.structureVersion)
            return standing.comparable != now.comparable
        }
        if areOld || areOthers {
            violate(.answerExact, "the broker remembers where shards stood, and they moved")
        }
    }

    mutating func startBroker() {
        guard broker.core == nil else { return }
        let state: ClusterState
        do {
            state = try ClusterState(decoding: broker.disk)
        } catch {
            return violate(.writesKept, "the broker's own state is unreadable: \(error)")
        }
        checkEpochs(of: state)
        broker.boot += 1
        let settings = BrokerSettings(
            incarnation: UInt64(broker.boot), secret: seed &+ UInt64(broker.boot),
            identitySeed: IndexIdentity(high: seed, low: UInt64(broker.boot)),
            shardCount: shape.shards, replication: shape.replication,
            expectedWorkers: shape.workers, adoptsUnknown: memory.isAdopting)
        trace.note(now, "broker starts, boot \(broker.boot), epoch \(state.epoch.value)")
        broker.core = BrokerCore(settings: settings, state: state)
        let moment = moment
        perform(broker.core?.start(at: moment) ?? [])
        agenda.add(.tick(.broker, boot: broker.boot), at: now + .milliseconds(1))
    }

    mutating func crashBroker() {
        guard broker.core != nil else { return }
        trace.note(now, "broker crashes")
        broker.core = nil
        // A rename that was under way happened, or did not.
        if let writing = broker.writing, random.chance(50) { broker.disk = writing.encoded }
        broker.writing = nil
        broker.waiting = nil
        // Reports of this process mean nothing to the next.
        broker.boot += 1
        for number in network.connections.indices { breakConnection(number) }
        agenda.add(.start(.broker), at: now + random.milliseconds(50...4_000))
    }

    /// Carries effects out as the shell must: what a send reports is decided upon after all of
    /// them, or a later decision's messages would overtake those of an earlier one.
    private mutating func perform(_ effects: [BrokerEffect]) {
        for effect in foldsEnds ? effects.folded : effects {
            switch effect {
            case .send(let message, let address):
                notePosition(message)
                send(message, to: address)
            case .confirm, .doubt: break
            case .persist(let state): write(state)
            case .log(let level, let text):
                if text.contains("(\(Departure.refusing.name))") { tally.refusing += 1 }
                trace.note(now, "broker logs \(level): \(text)")
            }
        }
        let lost = unreachable
        unreachable = []
        for address in lost { tell(.unreachable(address)) }
        let waiting = stalled
        stalled = []
        for address in waiting {
            if let connection = network.connection(at: address) {
                network[connection].isKnownFull = true
            }
            tell(.stalled(address))
        }
    }

    /// One thread writes; only the newest state that waits is written.
    private mutating func write(_ state: ClusterState) {
        guard broker.writing == nil else {
            broker.waiting = state
            return
        }
        broker.writing = state
        let isFull = broker.trouble.fullUntil > now
        if isFull { tally.note(.fullBroker) }
        let isSlow = broker.trouble.slowUntil > now
        if isSlow { tally.note(.slowBroker) }
        let isDurable = isCalm || !shape.hasMishaps || !random.chance(10) && !isFull
        agenda.add(
            .written(boot: broker.boot, isDurable: isDurable),
            at: now + random.microseconds(200...30_000)
                + (isSlow ? dice.milliseconds(100...3_000) : .zero))
    }

    mutating func finishWriting(isDurable: Bool) {
        guard let state = broker.writing else { return }
        broker.writing = nil
        if isDurable {
            checkEpochs(of: state)
            checkRestored(state)
        }
        if isDurable { noteState(state) }
        if isDurable { broker.disk = state.encoded } else { tally.note(.failedStateWrite) }
        let waiting = broker.waiting
        broker.waiting = nil
        if let waiting { write(waiting) }
        trace.note(now, "state \(state.version) \(isDurable ? "is durable" : "was not written")")
        tell(
            isDurable
                ? .persisted(version: state.version)
                : .persistFailed(
                    version: state.version,
                    reason: WireFailure(.diskFull, "the simulated disk refuses")))
    }
}
