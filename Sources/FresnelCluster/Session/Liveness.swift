package import FresnelModel

/// Which peers are alive, judged by how long they have been silent.
///
/// Any message counts as a sign of life. When the process itself was late (stopped, starved, a
/// paused machine) the gap is forgiven: "I was asleep" must not become "everyone died".
package struct Liveness<Peer: Hashable & Comparable & Sendable>: Sendable {
    package enum State: Hashable, Sendable {
        case live
        case suspect
    }

    package enum Action: Hashable, Sendable {
        /// Ask for a sign of life.
        case ping(Peer)
        /// Silent for `suspectAfter`: no new work.
        case suspect(Peer)
        /// A suspect gave a sign of life.
        case recover(Peer)
        /// Silent for `deadAfter`: gone.
        case evict(Peer)
    }

    private struct Entry: Sendable {
        var heardAt: Instant
        var pingedAt: Instant
        var state: State
    }

    private let timers: Timers
    private var entries: [Peer: Entry] = [:]
    private var lastTick: Instant?
    /// When it ticked again after it had been away itself.
    private var cameBackAt: Instant?

    package init(timers: Timers) {
        self.timers = timers
    }

    /// How long the peer has been silent; nil when it is unknown.
    package func silence(of peer: Peer, at now: Instant) -> Duration? {
        entries[peer].map { now - $0.heardAt }
    }

    package func state(of peer: Peer) -> State? { entries[peer]?.state }

    /// Starts watching a peer, or hears from it.
    package mutating func hear(_ peer: Peer, at now: Instant) -> [Action] {
        let wasSuspect = entries[peer]?.state == .suspect
        let pingedAt = entries[peer]?.pingedAt ?? now
        entries[peer] = Entry(heardAt: now, pingedAt: pingedAt, state: .live)
        return wasSuspect ? [.recover(peer)] : []
    }

    /// Stops watching a peer.
    package mutating func forget(_ peer: Peer) {
        entries[peer] = nil
    }

    /// Judges every peer; call about four times per ping interval.
    package mutating func tick(at now: Instant) -> [Action] {
        forgiveOwnAbsence(at: now)
        var actions: [Action] = []
        // In a fixed order, so that the same events always have the same effects.
        for (peer, entry) in entries.sorted(by: { $0.key < $1.key }) {
            let silence = now - entry.heardAt
            if silence >= timers.deadAfter {
                entries[peer] = nil
                actions.append(.evict(peer))
                continue
            }
            if silence >= timers.suspectAfter, entry.state == .live {
                entries[peer]?.state = .suspect
                actions.append(.suspect(peer))
            }
            if now - entry.pingedAt >= timers.pingInterval {
                entries[peer]?.pingedAt = now
                actions.append(.ping(peer))
            }
        }
        return actions
    }

    private mutating func forgiveOwnAbsence(at now: Instant) {
        defer { lastTick = now }
        guard let lastTick, now - lastTick > timers.pingInterval else { return }
        let absence = now - lastTick
        for peer in entries.keys {
            guard let heardAt = entries[peer]?.heardAt else { continue }
            // Who was heard since then needs no forgiveness, and none may lie in the future.
            entries[peer]?.heardAt = min(now, heardAt + absence)
        }
        cameBackAt = now
    }

    /// Whether this process was away itself (stopped, swapped out) a moment ago, so that what its
    /// peers sent meanwhile may still lie in its sockets.
    func wasAway(at now: Instant) -> Bool {
        cameBackAt.map { now - $0 < Limits.replicaGrace } ?? false
    }
}
