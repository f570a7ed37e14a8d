@testable import FresnelCluster
import FresnelModel
import FresnelWire
import TestChance

// Second processes of workers' names: strangers with another directory, and copies of one. What
// they say ends no session of a process that lives.

extension Simulation {
    /// Lets somebody say HELLO under a worker's name for a while, now and then.
    mutating func meetNamesake() {
        guard shape.hasMishaps, strangers.chance(40) else { return }
        let worker = strangers.below(workers.count)
        let hasDirectory = strangers.chance(30)
        agenda.add(
            .namesake(worker: worker, hasDirectory: hasDirectory, tries: 12), at: now)
    }

    mutating func greetAs(_ number: Int, hasDirectory: Bool, tries: Int) {
        guard tries > 0, !isCalm, let core = broker.core else { return }
        let name = workers[number].name
        let holder = core.workers[name].flatMap { core.sessions[$0.session] }
        let isConnected = holder.map { network.connection(at: $0.control) != nil } ?? false
        let silence = holder.flatMap { core.liveness.silence(of: $0.id, at: now) } ?? .zero
        var greeting = WireHello()
        greeting.minimumMajor = UInt32(Header.major)
        greeting.maximumMajor = UInt32(Header.major)
        greeting.role = .worker
        greeting.name = name.name
        greeting.bootID = .max - UInt64(number)
        if hasDirectory {
            greeting.directoryHigh = workers[number].directory.high
            greeting.directoryLow = workers[number].directory.low
        }
        trace.note(now, "somebody says HELLO as \(name), with its directory: \(hasDirectory)")
        let address = PeerAddress(
            side: .worker, lane: .control, routingID: [255, UInt8(truncatingIfNeeded: number)])
        tell(.received(Message(Envelope(), .hello(greeting)), from: address))
        tally.namesakes += 1
        // A copy may take the name of one that does not answer, or that is not the known one.
        let mayEnd = !isConnected || hasDirectory && silence >= Limits.claimPatience
        let isKnown = core.state.directories[name] == workers[number].directory
        let mayTake =
            hasDirectory && isKnown
            && core.workers[name]?.directory != workers[number].directory
        if let holder, !mayEnd, !mayTake, broker.core?.sessions[holder.id] == nil {
            violate(.verbsInTurn, "a HELLO of a stranger ends the session of \(name)")
        }
        agenda.add(
            .namesake(worker: number, hasDirectory: hasDirectory, tries: tries - 1),
            at: now + .milliseconds(100))
    }
}
