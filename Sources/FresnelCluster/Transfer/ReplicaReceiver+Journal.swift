import FresnelModel
import FresnelWire

// The journal first: a replica that missed little gets only that. A run that does not reach back,
// or continues another record than the newest one here, makes the copy begin with a manifest.

extension ReplicaReceiver {
    mutating func beginJournal(at now: Instant) -> [Effect] {
        heardAt = now
        phase = .journal(JournalRun(after: lastSequence))
        return reportPhase() + pump(at: now)
    }

    mutating func take(
        _ chunk: WireReplicaChunk, _ payload: [UInt8], into run: JournalRun, at now: Instant
    ) -> [Effect] {
        // An empty replica gets whole files sooner than it could apply every record again.
        if lastSequence == 0, chunk.total > 0 { return beginManifest(at: now) }
        var run = run
        guard
            let entries = run.take(
                payload, total: chunk.total, donorSequence: chunk.lastSequence)
        else {
            return fail(
                WireFailure(
                    .internalError, "worker \(order.donorWorker) sent records out of order"))
        }
        guard entries.isEmpty else {
            phase = .appending(run)
            return [.append(entries)]
        }
        phase = .journal(run)
        if run.isExhausted, run.rest.isEmpty {
            guard run.donorSequence <= lastSequence else { return pause(at: now) }
            return follow(at: now)
        }
        if payload.isEmpty { return pause(at: now) }
        return pump(at: now)
    }

    /// Records were journaled, synced and applied.
    mutating func appended(last: SequenceNumber, at now: Instant) -> [Effect] {
        guard case .appending(var run) = phase else { return [] }
        heardAt = now
        lastSequence = max(lastSequence, last.value)
        lastDigest = 0
        grewAt = now
        run.advance(to: lastSequence)
        phase = .journal(run)
        if run.isExhausted, run.rest.isEmpty, run.donorSequence <= lastSequence {
            return follow(at: now)
        }
        return reportGrowth(at: now) + pump(at: now)
    }

    /// Records were not taken.
    ///
    /// - Parameter isFork: they do not follow what is here, however often they are asked for.
    mutating func appendFailed(
        _ failure: WireFailure, isFork: Bool, at now: Instant
    ) -> [Effect] {
        guard case .appending = phase else { return [] }
        return isFork ? beginManifest(at: now) : fail(failure)
    }

    /// The donor says why it gives nothing.
    mutating func refused(
        _ fetch: WireFetchReplica, _ failure: WireFailure, at now: Instant
    ) -> [Effect] {
        guard failure.code != ErrorCode.gap.number else {
            // What is no longer held was never promised for ever: heard all the same.
            heardAt = now
            return beginManifest(at: now)
        }
        forget(fetch)
        guard ErrorCode(number: failure.code)?.isRetriable == true else { return fail(failure) }
        return pause(at: now)
    }

    /// Waits a little before the donor is asked again.
    mutating func pause(at now: Instant) -> [Effect] {
        pausedUntil = now + .milliseconds(250)
        return []
    }

    /// A question will not be answered.
    mutating func forget(_ fetch: WireFetchReplica) {
        guard case .files(var copies) = phase, fetch.piece == .file else { return }
        copies.lost(.init(file: fetch.file, offset: fetch.offset, length: fetch.length))
        phase = .files(copies)
    }

    /// A part of the broker was journaled: it goes on from here.
    mutating func tookPart() -> [Effect] {
        guard isFollowing else { return [] }
        return withdraw()
    }

    /// The donor has nothing newer: says so, and asks again in a while, until parts come from the
    /// broker, the order is withdrawn, or nothing happens for long.
    private mutating func follow(at now: Instant) -> [Effect] {
        if !isFollowing { grewAt = now }
        isFollowing = true
        if now - grewAt >= Limits.transferFollowing { return withdraw() }
        pausedUntil = now + .milliseconds(100)
        return reportPhase() + reportGrowth(at: now)
    }

    private mutating func reportGrowth(at now: Instant) -> [Effect] {
        guard reportedSequence != lastSequence, now - reportedAt >= .milliseconds(20) else {
            return []
        }
        reportedSequence = lastSequence
        reportedAt = now
        return [.report(state)]
    }
}
