@testable import FresnelCluster
import FresnelModel
import FresnelWire
import TestChance

extension Simulation {
    mutating func tell(_ worker: Int, _ event: WorkerEvent) {
        guard workers[worker].core != nil else { return }
        let effects = workers[worker].core?.decide(event, at: now) ?? []
        // Half of the clusters send last hits and ends apart, as the protocol leaves them free to.
        for effect in foldsEnds ? effects.folded : effects { perform(effect, worker) }
    }

    mutating func startWorker(_ number: Int) {
        guard workers[number].core == nil else { return }
        workers[number].boot += 1
        let boot = workers[number].boot
        trace.note(now, "worker\(number) starts, boot \(boot)")
        workers[number].core = WorkerCore(
            name: workers[number].name, bootID: UInt64(boot), software: "simulation",
            directory: workers[number].directory,
            membership: ClusterMembership(
                cluster: workers[number].cluster, holdsReplicas: !workers[number].disk.isEmpty),
            at: now)
        workers[number].opened = []
        workers[number].missing = []
        workers[number].assigned = [:]
        workers[number].tasks = [:]
        workers[number].parts = []
        workers[number].isJournaling = false
        workers[number].lastReport = now
        agenda.add(.connect(.worker(number), .control, boot: boot), at: now)
        agenda.add(.tick(.worker(number), boot: boot), at: now + .milliseconds(2))
    }

    mutating func crashWorker(_ number: Int) {
        guard workers[number].core != nil else { return }
        trace.note(now, "worker\(number) crashes")
        settleTails(number)
        workers[number].core = nil
        for lane in Lane.allCases {
            if let connection = network.connection(of: .worker(number), lane) {
                network.close(connection, at: now, readableFor: random.milliseconds(0...20))
            }
        }
        agenda.add(.start(.worker(number)), at: now + random.milliseconds(100...6_000))
    }

    private mutating func perform(_ effect: WorkerEffect, _ number: Int) {
        let boot = workers[number].boot
        switch effect {
        case .send(let message, let lane):
            checkWorkerCredit(message.unfolded?.hits ?? message, number)
            send(message, from: .worker(number), lane: lane)
        case .connectData: connectData(.worker(number), boot: boot)
        case .host(let assignments): host(assignments, number)
        case .ingest(let ticket, let part, let sequence, let payload):
            workers[number].parts.append(
                .init(ticket: ticket, part: part, sequence: sequence, payload: payload))
            continueJournaling(number)
        case .count(let id, let subquery, let until):
            checkDropped(subquery, number)
            begin(id, EngineTask(subquery: subquery, until: until, phase: .counting), number)
            let statistics = workers[number].tasks[id]?.count(workers[number].disk)
            report(number, .counted(id, statistics ?? WireStatistics()), within: 1...4_000)
        case .match(let id, let subquery, let until):
            var task = EngineTask(subquery: subquery, until: until, phase: .matching)
            task.manner = EngineManner(&random)
            checkDropped(subquery, number)
            begin(id, task, number)
            match(id, number)
        case .produce(let id, let items, let bytes): produce(id, items, bytes, number)
        case .narrow(let id, let key): narrow(id, to: key, number)
        case .cancel(let id):
            if workers[number].tasks[id] == nil {
                violate(.exactlyOneCompletion, "worker\(number) cancels unknown \(id)")
            }
        case .forget(let id, let isHeld):
            guard let task = workers[number].tasks.removeValue(forKey: id) else {
                return violate(
                    .exactlyOneCompletion,
                    "worker\(number) forgets \(id), which is unknown or forgotten")
            }
            if task.isHeld, !isHeld {
                violate(.exactlyOneCompletion, "worker\(number) leaves hits of \(id) behind")
            }
        // Copies have a simulation of their own.
        case .transfer: break
        case .store(let order): perform(order, number)
        case .sweepRestored(let kept): sweepRestored(keeping: kept, number)
        case .survey: survey(besides: [], number)
        case .join(let cluster): workers[number].cluster = cluster
        case .check(let question): check(question, number)
        case .drop, .brokerTime: break
        case .log(let level, let text):
            trace.note(now, "worker\(number) logs \(level): \(text)")
        }
    }

    private mutating func begin(_ id: TaskID, _ task: EngineTask, _ number: Int) {
        if workers[number].tasks.updateValue(task, forKey: id) != nil {
            violate(.exactlyOneCompletion, "worker\(number) uses task \(id) twice")
        }
    }

    private mutating func report(
        _ number: Int, _ event: WorkerEvent, within range: ClosedRange<Int>
    ) {
        agenda.add(
            .report(worker: number, boot: workers[number].boot, event),
            at: now + random.microseconds(range))
    }

    private mutating func host(_ assignments: [WireIndexAssignment], _ number: Int) {
        // What waits was sent for the replicas as they were: one thread does both.
        while !workers[number].parts.isEmpty { journal(number) }
        survey(besides: assignments, number)
        var failures: [HostingFailure] = []
        for assignment in assignments {
            for shard in assignment.shards {
                let key = ShardKey(index: assignment.index, shard: ShardID(shard))
                settleRestored(key, assignment, number)
                if let failure = damage(of: key, number) {
                    failures.append(failure)
                    continue
                }
                let made = IndexIdentity(
                    high: assignment.indexIdentityHigh, low: assignment.indexIdentityLow)
                if let held = workers[number].disk[key], !held.index.mayBe(made) {
                    failures.append(
                        HostingFailure(
                            index: key.index, shard: key.shard,
                            reason: "it belongs to another index of the name"))
                    continue
                }
                if workers[number].disk[key] == nil {
                    let known = zip(assignment.shards, assignment.identities)
                        .first { $0.0 == shard }?.1
                    guard known ?? 0 == 0 || workers[number].replacesLost else {
                        workers[number].missing.insert(key)
                        continue
                    }
                    var new = StoredShard(key, identity: random.next() | 1)
                    (new.index, new.shardCount) = (made, assignment.shardCount)
                    workers[number].disk[key] = new
                }
                workers[number].opened.insert(key)
                workers[number].missing.remove(key)
                workers[number].dropped.remove(key)
            }
            noteEpochs(assignment, number)
        }
        // The inventory is true when it is taken; it may be old when it is told.
        reportInOrder(
            number, .hosted(workers[number].inventory, failures: failures), within: 100...60_000)
    }

    /// Tells the broker what is on the disk and not assigned.
    private mutating func survey(besides assignments: [WireIndexAssignment], _ number: Int) {
        let named = Set(
            assignments.flatMap { index in
                index.shards.map { ShardKey(index: index.index, shard: ShardID($0)) }
            })
        let found = workers[number].disk.filter { !named.contains($0.key) }
            .sorted { $0.key < $1.key }
            .map { key, shard in
                var found = WireFoundReplica()
                found.index = key.index
                found.shard = key.shard.number
                found.shardCount = shard.shardCount
                (found.indexIdentityHigh, found.indexIdentityLow) = (
                    shard.index.high, shard.index.low
                )
                found.identity = shard.identity
                found.lastSequence = shard.lastSequence.value
                found.holdsRelated = shard.inventory.holdsRelated
                return found
            }
        reportInOrder(
            number, .surveyed(found, removed: workers[number].removedIndexes), within: 50...3_000)
    }

    // MARK: searches

    private mutating func match(_ id: TaskID, _ number: Int) {
        guard var task = workers[number].tasks[id] else { return }
        if shape.hasMishaps, !isCalm, random.chance(1) {
            tally.note(.brokenSearch)
            return report(
                number, .searchFailed(id, reason: "the simulated index breaks"), within: 1...999)
        }
        if shape.hasMishaps, !isCalm, task.subquery.page != nil, random.chance(3) {
            task.failure = WireFailure(.cursorExpired, "the simulated merges were eager")
        }
        if shape.hasMishaps, !isCalm, task.subquery.hasChanges, random.chance(1) {
            task.failure = WireFailure(.cursorExpired, "the simulated merges were eager")
        }
        if let objection = task.objection(workers[number].disk) {
            tally.objections += 1
            return report(number, .counted(id, objection), within: 1...4_000)
        }
        checkCachedCount(id, number)
        let longest = random.chance(5) ? 900_000 : 15_000
        let took = random.microseconds(50...longest)
        // The snapshot is taken now, the deadline is looked at in the end.
        var outcome = task.match(workers[number].disk, at: now + took)
        let search = task.subquery.search
        if outcome.holdsHits, !search.countOnly, search.creditItems > 0,
            search.creditBytes >= Limits.hitBatchBytes, random.chance(50)
        {
            let most = min(search.creditItems, UInt64(random.number(in: 1...40)))
            outcome.first = task.produce(items: Int(most), bytes: Limits.hitBatchTargetBytes)
        }
        task.phase = .ready
        task.isHeld = outcome.holdsHits
        workers[number].tasks[id] = task
        agenda.add(
            .report(worker: number, boot: workers[number].boot, .matched(id, outcome)),
            at: now + took)
    }

    private mutating func produce(_ id: TaskID, _ items: Int, _ bytes: Int, _ number: Int) {
        guard var task = workers[number].tasks[id], task.phase == .ready else {
            return violate(
                .exactlyOneCompletion, "worker\(number) asks \(id) for hits, which is not ready")
        }
        if shape.hasMishaps, !isCalm, random.chance(2) {
            tally.note(.brokenSearch)
            return report(
                number, .searchFailed(id, reason: "the simulated store breaks"), within: 1...999)
        }
        let isAlone = task.manner.bounds != .none && random.chance(task.manner.loneBounds)
        let most = isAlone ? 0 : min(items, random.number(in: 1...40))
        let batch = task.produce(items: most, bytes: bytes)
        if !batch.bound.isEmpty { tally.bounds += 1 }
        if batch.items == 0, !batch.isLast { tally.loneBounds += 1 }
        task.isHeld = !batch.isLast
        workers[number].tasks[id] = task
        report(number, .produced(id, batch), within: 10...3_000)
    }

    private mutating func narrow(_ id: TaskID, to key: [UInt8], _ number: Int) {
        guard let former = workers[number].tasks[id]?.hits.count else {
            return violate(.exactlyOneCompletion, "worker\(number) narrows unknown \(id)")
        }
        workers[number].tasks[id]?.narrow(to: key)
        tally.thresholds += 1
        tally.leftOut += former - (workers[number].tasks[id]?.hits.count ?? 0)
    }

    // MARK: parts

    private mutating func continueJournaling(_ number: Int) {
        guard !workers[number].isJournaling, !workers[number].parts.isEmpty else { return }
        workers[number].isJournaling = true
        let isSlow = workers[number].trouble.slowUntil > now
        if isSlow { tally.note(.slowDisk) }
        agenda.add(
            .journal(worker: number, boot: workers[number].boot),
            at: now + random.microseconds(100...5_000)
                + (isSlow ? dice.milliseconds(50...7_000) : .zero))
    }

    mutating func journal(_ number: Int) {
        guard workers[number].core != nil else { return }
        workers[number].isJournaling = false
        guard !workers[number].parts.isEmpty else { return }
        let waiting = workers[number].parts.removeFirst()
        continueJournaling(number)
        let key = ShardKey(index: waiting.part.index, shard: ShardID(waiting.part.shard))
        // It was sent before the replica left, and came after it was removed.
        guard !workers[number].dropped.contains(key) else {
            let refusal = StoredShard(key, identity: 0).refusal()
            return reportInOrder(
                number, .ingested(waiting.ticket, refusal), within: 10...3_000)
        }
        guard workers[number].opened.contains(key), var shard = workers[number].disk[key] else {
            return violate(.verbsInTurn, "worker\(number) gets a part of \(key), which is not open")
        }
        if workers[number].lost[key] != nil, shape.replication == 1, shape.membership == .fixed {
            violate(.writesKept, "worker\(number) gets a part of \(key), which it lost")
        }
        let ack =
            refusal(of: waiting, &shard, number)
            ?? shard.ingest(waiting.part, sequence: waiting.sequence, payload: waiting.payload)
        workers[number].disk[key] = shard
        trace.note(
            now,
            "worker\(number) journals seq \(waiting.sequence.value) of shard \(key.shard.number): "
                + (ack.hasError ? ack.error.message : "last \(ack.lastSequence)"))
        reportInOrder(number, .ingested(waiting.ticket, ack), within: 10...3_000)
    }

    private mutating func reportInOrder(
        _ number: Int, _ event: WorkerEvent, within range: ClosedRange<Int>
    ) {
        let at = max(
            now + random.microseconds(range), workers[number].lastReport + .nanoseconds(1))
        workers[number].lastReport = at
        agenda.add(.report(worker: number, boot: workers[number].boot, event), at: at)
    }
}
