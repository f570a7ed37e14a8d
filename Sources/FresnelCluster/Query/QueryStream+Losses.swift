package import FresnelModel
import FresnelWire

// What becomes of a query's parts when their workers are lost, silent or lie.

extension QueryStream {
    /// Answers for a worker that is gone: what it sent stays, the rest is asked of other replicas,
    /// or reported missing.
    package mutating func lose(
        _ worker: WorkerID, at now: Instant,
        _ replicas: (ShardKey) -> [ReplicaState] = { _ in [] }
    ) -> [Action] {
        guard phase != .finished else { return [] }
        var actions: [Action] = []
        for number in parts.indices where parts[number].worker == worker {
            parts[number].isWorkerLost = true
            guard parts[number].isOpen else { continue }
            actions += move(part: number, at: now, replicas) ?? []
            guard parts[number].isOpen else { continue }
            if canRestart(withoutPart: number, at: now, replicas) {
                mustRecount = true
                continue
            }
            parts[number].close(
                as: .unreachable, because: "worker \(worker) was lost", at: now)
        }
        guard !mustRecount else { return actions }
        return actions + driveRound(at: now) { $0.lose(worker, at: now) } + advance(at: now)
    }

    /// Gives up what a worker still owes, which is here and whose answers on their way are lost:
    /// its data lane was replaced.
    mutating func loseAnswers(
        of worker: WorkerID, at now: Instant, _ replicas: (ShardKey) -> [ReplicaState]
    ) -> [Action] {
        guard phase != .finished else { return [] }
        let cancels = parts.indices.filter { parts[$0].worker == worker && parts[$0].isOpen }
            .map { toWorker($0, .cancel) }
        return cancels + lose(worker, at: now, replicas)
    }

    /// Asks other replicas for what a silent worker owes, where there are any; it may still come
    /// back for the rest.
    package mutating func suspect(
        _ worker: WorkerID, at now: Instant, _ replicas: (ShardKey) -> [ReplicaState]
    ) -> [Action] {
        guard phase != .finished else { return [] }
        var actions: [Action] = []
        for number in parts.indices where parts[number].worker == worker && parts[number].isOpen {
            // What is kept of a part must be all of it, or its worker is asked for two things.
            let isElsewhere = parts[number].targets.allSatisfy { target in
                replicas(ShardKey(index: target.index, shard: target.shard))
                    .contains { $0.worker != worker }
            }
            guard isElsewhere, let moved = move(part: number, at: now, replicas) else { continue }
            actions += [toWorker(number, .cancel)] + moved
        }
        return actions + advance(at: now)
    }

    /// Asks other replicas for what a worker refuses; what nobody else has ends with its reason.
    mutating func refuse(
        part number: Int, as status: WireShardStatus, because failure: WireFailure,
        at now: Instant, _ replicas: (ShardKey) -> [ReplicaState]
    ) -> [Action] {
        let isLate = failure.code == ErrorCode.budgetExhausted.number
        let moved = isLate ? nil : move(part: number, at: now, replicas)
        // What arrived of it belongs to whoever goes on.
        if moved == nil { drop(part: number) }
        if parts[number].isOpen {
            parts[number].close(as: status, because: failure.message, at: now)
        }
        return moved ?? []
    }

    /// What comes after a part was closed is late and void, except from a worker that had already
    /// reported: its report was a lie then.
    mutating func hear(
        _ message: Message, afterPart number: Int, at now: Instant
    ) -> [Action] {
        guard parts[number].hasReported else { return [] }
        switch message.command {
        case .found, .partDone:
            let fault = StreamFault(
                .exactlyOneCompletion, "its worker sent \(message.verb) after its PART_DONE")
            fail(part: number, because: fault, at: now)
            return advance(at: now)
        default: return []
        }
    }

    mutating func giveUp(
        part number: Int, because fault: StreamFault, at now: Instant
    ) -> [Action] {
        fail(part: number, because: fault, at: now)
        return [toWorker(number, .cancel)]
    }

    /// Believes nothing more of a part; what it sent and was not passed on is dropped.
    mutating func fail(part number: Int, because fault: StreamFault, at now: Instant) {
        violations.count(fault.invariant)
        firstFault = firstFault ?? (number, fault)
        drop(part: number)
        parts[number].close(as: .failed, because: fault.description, at: now)
        forgetFacets()
    }
}
