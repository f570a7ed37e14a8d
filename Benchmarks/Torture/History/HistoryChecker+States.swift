extension HistoryChecker {
    /// Client states: each is committed on top of the one that it expects, once.
    ///
    /// A batch of unknown outcome whose state was seen, or on top of whose state something was
    /// committed, has happened: it becomes acknowledged from that moment on.
    mutating func checkStates() {
        for index in Set(writes.filter { $0.state != nil }.map(\.index)) {
            var chain = StateChain(
                commits: writes.indices.filter { writes[$0].index == index }
                    .compactMap { position in
                        writes[position].state.map { (position, writes[position], $0) }
                    })
            for state in states where state.index == index { chain.see(state) }
            for (position, time) in chain.settle() where writes[position].isUnknown {
                writes[position].outcome = .acknowledged(refused: [:])
                settled[position] = time
            }
            for text in chain.faults(states.filter { $0.index == index }) {
                violate(.wrongClientState, "\(index): \(text.text)", at: text.at)
            }
        }
    }
}

extension WriteEvent {
    var isUnknown: Bool {
        if case .unknown = outcome { return true }
        return false
    }

    fileprivate var isAcknowledged: Bool {
        if case .acknowledged = outcome { return true }
        return false
    }
}

/// The commits of client states of one index.
struct StateChain {
    private struct Commit {
        let position: Int
        let expected: String
        let started: Int64
        /// From when on it is certain that it happened; nil while nobody knows.
        var known: Int64?
        let isRefused: Bool
        let ended: Int64
    }

    /// By the state that it stores; each state is used once.
    private var commits: [String: Commit] = [:]

    init(commits: [(position: Int, write: WriteEvent, state: WriteEvent.StateChange)]) {
        for (position, write, state) in commits {
            var isRefused = false
            if case .refused = write.outcome { isRefused = true }
            self.commits[state.new] = Commit(
                position: position, expected: state.expected, started: write.started,
                known: write.isAcknowledged ? write.ended : nil, isRefused: isRefused,
                ended: write.ended)
        }
    }

    /// A state that was seen was committed by then.
    mutating func see(_ state: StateEvent) {
        guard let commit = commits[state.value] else { return }
        commits[state.value]?.known = min(commit.known ?? .max, state.ended)
    }

    /// What stands below a committed state was committed before it.
    ///
    /// - Returns: the batches that have certainly happened, by position, and when that was known.
    mutating func settle() -> [(position: Int, known: Int64)] {
        for commit in commits.values {
            guard let known = commit.known else { continue }
            var below = commit.expected
            while let lower = commits[below], lower.known ?? .max > known {
                commits[below]?.known = known
                below = lower.expected
            }
        }
        return commits.values.compactMap { commit in
            commit.known.map { (commit.position, $0) }
        }
    }

    /// What contradicts one chain.
    func faults(_ looks: [StateEvent]) -> [(text: String, at: Int64)] {
        var faults: [(String, Int64)] = []
        var successors: [String: String] = [:]
        for (state, commit) in commits.sorted(by: { $0.key < $1.key }) {
            guard let known = commit.known else { continue }
            if commit.isRefused {
                faults.append(("\(state) is stored, although it was refused", known))
            }
            if let other = successors.updateValue(state, forKey: commit.expected) {
                let below = commit.expected
                faults.append(("both \(state) and \(other) were committed on \(below)", known))
            }
        }
        return faults + looks.compactMap { fault(of: $0, successors) }
    }

    private func fault(
        of look: StateEvent, _ successors: [String: String]
    ) -> (text: String, at: Int64)? {
        if !look.value.isEmpty {
            guard let commit = commits[look.value] else {
                return ("\(look.value) is stored, which nobody committed", look.ended)
            }
            guard commit.started <= look.ended else {
                return ("\(look.value) is stored before it was committed", look.ended)
            }
        }
        guard let next = successors[look.value], let known = commits[next]?.known,
            known < look.started
        else { return nil }
        return (
            "\(look.value) is stored at \(look.started.asSeconds), although \(next) was committed "
                + "on it by \(known.asSeconds)", look.ended
        )
    }
}
