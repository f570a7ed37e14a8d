import FresnelClient
import FresnelModel
import TortureHistory

/// Follows an answer, searches again when it is ended, and compares what the changes make of it.
struct Follower {
    private let load: Load
    private let client: SearchClient
    /// Nanoseconds between two states that are recorded.
    private static let interval: Int64 = 3_000_000_000

    init(_ load: Load, _ client: SearchClient) {
        self.load = load
        self.client = client
    }

    /// Runs until an answer has reached the last state, or until it is cancelled.
    func run() async {
        var generator = load.generator(of: 99)
        while !Task.isCancelled {
            do {
                if try await follow() { return }
            } catch {
                // Ended by the cluster: that is allowed beside faults, and it searches again.
                await load.rest(100...300, using: &generator)
            }
        }
    }

    /// Whether it came to the last state.
    private func follow() async throws(SearchError) -> Bool {
        var request = SearchRequest(Catalogue.everything)
        request.attributes = Catalogue.attributes
        let index = IndexName.torture(Load.sharedIndex)
        request.indexes = [index]
        request.delivery = .found
        request.isFollowed = true
        let started = Recorder.now
        let query = client.search(request)
        var hits: [Observation] = []
        var found = query.hits.makeAsyncIterator()
        while let hit = try await found.next() { hits.append(Self.observation(hit)) }
        guard try await query.completion().isComplete else { return false }
        var answer = FollowedAnswer(hits)
        var recorded = started
        var changes = query.changes.makeAsyncIterator()
        while let change = try await changes.next() {
            switch change {
            case .removed(let hit, _): answer.remove(Self.observation(hit))
            case .added(let hit, _): answer.add(Self.observation(hit))
            case .reached(let state):
                guard answer.faults.isEmpty else {
                    load.recorder.trouble(
                        .wrongChange,
                        "followed since \(started.asSeconds), state "
                            + "\(state.snapshot[index]?.value ?? 0): "
                            + answer.faults.prefix(3).joined(separator: "; "))
                    return false
                }
                if case .quiet(let target, let since) = load.phase.value,
                    state.snapshot[index]?.value ?? 0 >= target
                {
                    record(answer, .all, since)
                    return true
                }
                if Recorder.now - recorded > Self.interval {
                    recorded = Recorder.now
                    record(answer, .followed, started)
                }
            }
        }
        return false
    }

    private func record(_ answer: FollowedAnswer, _ kind: ReadKind, _ started: Int64) {
        load.recorder.record(
            .read(
                ReadEvent(
                    kind, index: Load.sharedIndex, started: started, ended: Recorder.now,
                    observed: answer.observed)))
    }

    private static func observation(_ hit: Hit) -> Observation {
        Catalogue.observation(hit.uniqueIdentifier, hit.attributes)
    }
}
