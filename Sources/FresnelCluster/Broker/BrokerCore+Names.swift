import FresnelModel
import FresnelWire

// A HELLO under a worker's name that a live process carries (`NameContests`).

extension BrokerCore {
    /// What a HELLO means where its name is taken; nil where the worker gets the name.
    mutating func contest(
        _ hello: WireHello, from address: PeerAddress, at moment: Moment
    ) -> [BrokerEffect]? {
        let worker = WorkerID(hello.name)
        let claim = NameContests.Claim(
            worker: worker, bootID: hello.bootID,
            directory: DirectoryIdentity(high: hello.directoryHigh, low: hello.directoryLow))
        let entry = workers[worker]
        // On one connection there is one process.
        if let entry, sessions[entry.session]?.control == address { return nil }
        let holder = entry.flatMap { entry in
            liveness.silence(of: entry.session, at: moment.instant).map {
                NameContests.Holder(
                    bootID: entry.bootID, directory: entry.directory, silence: $0)
            }
        }
        let known = state.directories[worker] ?? .unknown
        switch names.judge(claim, against: holder, known: known, at: moment.instant) {
        case .admit: return nil
        case .wait: return []
        case .ask:
            return entry.map { perform([.ping($0.session)], at: moment) } ?? []
        case .refuse(let reason):
            guard let entry else { return nil }
            counters.refusedNames += 1
            let text = Self.refusal(of: hello, reason, holder: entry)
            let told: [BrokerEffect] =
                names.mayTell(of: worker, at: moment.instant) ? [.log(.warning, text)] : []
            return told + reject(address, .nameTaken, text)
        }
    }

    /// Where the two are, and what to do.
    private static func refusal(
        of hello: WireHello, _ reason: NameContests.Reason, holder entry: WorkerTable.Entry
    ) -> String {
        let place = shown(entry.transferEndpoint)
        let newcomer = shown(hello.transferEndpoint)
        let live =
            "worker \(entry.worker) is live at \(place) and holds \(entry.whole.count) shards"
        switch reason {
        case .otherDirectory:
            return live + "; the one at \(newcomer) has another directory and is refused: start it "
                + "under another --name, or end the live one first"
        case .copiedDirectory:
            return live + "; the one at \(newcomer) has a copy of its directory and is refused: "
                + "end one of the two, and remove its directory"
        }
    }

    /// An endpoint as a log shows it: it is any peer's text.
    private static func shown(_ endpoint: String) -> String {
        guard !endpoint.isEmpty else { return "an address that it does not name" }
        let isPlain = endpoint.utf8.allSatisfy { (0x21...0x7e).contains($0) }
        return isPlain ? endpoint : "an address that cannot be shown"
    }
}
