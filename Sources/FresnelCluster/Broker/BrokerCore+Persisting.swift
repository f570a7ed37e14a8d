import FresnelModel
import FresnelWire

// The cluster state on its way to the disk. A disk that refuses keeps nobody from searching: also a
// broker that starts there serves the state that was written last, whose contents it has, although
// its new epoch is not written. It gives no sequence number, makes nothing and changes nothing
// until it is: so there is nothing that the next broker, which takes the same epoch, could know
// otherwise.

extension BrokerCore {
    /// Asks for the state to be written when it changed since the last time.
    mutating func persistIfChanged(at moment: Moment) -> [BrokerEffect] {
        guard state.version > requestedVersion else { return [] }
        noteAcknowledgedInPassing()
        requestedVersion = state.version
        state.knownTime = Timestamp(seconds: clocks.certain(at: moment.instant))
        return [.persist(state)]
    }

    /// A version is on disk.
    mutating func notePersisted(_ version: UInt64) -> [BrokerEffect] {
        persistedVersion = max(persistedVersion, version)
        servesFormerState = false
        unsavedStates.persisted(version: version)
        guard unwritten.end() else { return [] }
        return [.log(.information, "the cluster state is written again")]
    }

    /// A full disk is not asked again at once; after a while, batches that wait for it are told.
    mutating func retryPersisting(
        _ version: UInt64, because reason: WireFailure, at moment: Moment
    ) -> [BrokerEffect] {
        counters.failedPersists += 1
        retriesPersistingAt = moment.instant + .milliseconds(200)
        var effects: [BrokerEffect] = []
        if unwritten.fail(reason, at: moment.instant) {
            let text = "the cluster state was not written and is tried again: \(reason.message)"
            effects.append(.log(.error, text))
        }
        if !isReady {
            servesFormerState = true
            effects += challengeEarly(at: moment)
        }
        guard unwritten.isLasting(at: moment.instant) else { return effects }
        return effects + perform(writes.failWaiting(reason), at: moment)
            + failIndexChanges(reason, at: moment)
    }

    /// Whether workers may be told what the state says of their replicas.
    ///
    /// That is what is on disk: what was read from there, or what was written since.
    var isStructureWritten: Bool {
        persistedVersion >= structureVersion
            || servesFormerState && structureVersion == startVersion
    }

    /// What is added to a refusal of what waits for the disk: why that takes nothing, if so.
    var unwrittenReason: String { unwritten.reason.map { ", which refuses: \($0.message)" } ?? "" }

    /// Why nothing may be changed now; nil where it may.
    func unwrittenStart(at moment: Moment) -> Refusal? {
        guard servesFormerState, let reason = unwritten.reason else { return nil }
        let text = "nothing is changed until the broker can write: \(reason.message)"
        let code = ErrorCode(number: reason.code) ?? .storageFailed
        return unwritten.isLasting(at: moment.instant) ? .final(code, text) : .later(code, text)
    }

    /// Asks those for HELLO who came while the epoch was not yet durable.
    mutating func challengeEarly(at moment: Moment) -> [BrokerEffect] {
        let addresses = early
        early = []
        return addresses.flatMap { challenge($0, at: moment) }
    }
}
