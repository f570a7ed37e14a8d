@testable import FresnelCluster
import FresnelModel
import FresnelWire
import TestChance

/// What can go wrong.
enum Misfortune: String, CaseIterable {
    case brokenConnection
    case workerCrash
    case workerEmptied
    case workerAged
    case brokerCrash
    case workerPause
    case brokerPause
    case clientPause
    case slowClient
    case slowNetwork
    case fastNetwork
}

extension Simulation {
    mutating func start(_ process: ProcessName) {
        switch process {
        case .broker: startBroker()
        case .worker(let number): startWorker(number)
        case .client: break
        }
    }

    /// Lets one thing go wrong, and plans the next.
    mutating func strike() {
        guard !isCalm else { return }
        agenda.add(.misfortune, at: now + random.milliseconds(50...1_500))
        meetNamesake()
        if shape.losesOneWorker { return loseOneWorker() }
        var misfortune = random.element(of: Misfortune.allCases)
        // A disk that comes back as it was brings removed indexes along.
        if shape.changesIndexes, [.workerEmptied, .workerAged].contains(misfortune) {
            misfortune = .workerCrash
        }
        tally.misfortunes[misfortune, default: 0] += 1
        trace.note(now, "misfortune: \(misfortune)")
        switch misfortune {
        case .brokenConnection:
            let open = network.connections.indices.filter { network[$0].isOpen }
            if !open.isEmpty { breakConnection(random.element(of: Array(open))) }
        case .workerCrash: crashWorker(random.below(workers.count))
        case .workerEmptied: emptyWorker(random.below(workers.count))
        case .workerAged: ageWorker(random.below(workers.count))
        case .brokerCrash: crashBroker()
        case .workerPause:
            let number = random.below(workers.count)
            workers[number].pausedUntil = pause(workers[number].pausedUntil)
        case .brokerPause: broker.pausedUntil = pause(broker.pausedUntil)
        case .clientPause:
            let number = random.below(clients.count)
            clients[number].pausedUntil = pause(clients[number].pausedUntil)
        case .slowClient: slowDown(random.below(clients.count))
        case .slowNetwork: network.longestDelay = random.number(in: 5_000...600_000)
        case .fastNetwork: network.longestDelay = 2_000
        }
    }

    /// Stops a process for a while, unless it is stopped already: its mail would lose its order.
    private mutating func pause(_ until: Instant) -> Instant {
        until <= now ? now + random.milliseconds(50...8_000) : until
    }

    /// The end of all misfortunes; who is down comes back by its own start.
    mutating func calmDown() {
        trace.note(now, "calm")
        isCalm = true
        network.longestDelay = 2_000
        endTrouble()
        setClocksRight()
        for number in clients.indices { grantEverything(number) }
    }
}
