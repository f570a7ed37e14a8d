@testable import FresnelCluster
import FresnelModel
@testable import FresnelSession
import FresnelWire

/// An answer that its application keeps up to date.
struct FollowedAnswer {
    var query: AskedQuery
    /// Every hit by the bytes of its document: while one moves, two shards may show it.
    var hits: [[UInt8]: Int]
    var round: UInt64 = 0
    /// Whether this round has added something: then nothing is removed any more.
    var hasAdded = false
    /// Sequence numbers of the newest marker.
    var snapshot: [String: UInt64]
}

/// One try of a followed query.
struct FollowName: Hashable {
    let id: RequestID
    let attempt: UInt32
}

// A followed answer with all its changes is what the shards hold at the state that the marker
// names, whatever happened between; and once everything rests, it is what the oracle expects.

extension Simulation {
    /// Every fourth search is followed.
    ///
    /// No dice, so that the fates of the others stay as they were.
    func makeFollowed(_ search: inout WireSearch, _ number: Int) {
        guard clients[number].requestCount % 4 == 1, clients[number].follows.count < 6 else {
            return
        }
        search.follow = true
        search.clearLimit()
        search.facets = []
        if search.isSortedByRelevance { search.delivery = .found }
        search.countOnly = false
        search.coverage = 1
    }

    /// The completion came, and the changes begin.
    mutating func follow(_ done: WireDone, _ id: RequestID, _ number: Int) {
        guard let query = clients[number].queries.removeValue(forKey: id) else {
            return violate(.verbsInTurn, "client\(number) follows \(id.low), which is no query")
        }
        tally.completions[done.status, default: 0] += 1
        tally.hits += query.hits.count
        tally.follows += 1
        check(done, query, number)
        var hits: [[UInt8]: Int] = [:]
        for hit in query.hits { hits[DocumentCoding.encode(hit.document), default: 0] += 1 }
        clients[number].follows[id] = FollowedAnswer(
            query: query, hits: hits, snapshot: Self.snapshot(done.snapshot))
    }

    private static func snapshot(_ snapshots: [WireIndexSnapshot]) -> [String: UInt64] {
        Dictionary(snapshots.map { ($0.index, $0.sequence) }) { first, _ in first }
    }

    /// What the broker takes for the client's state when it sends a marker.
    mutating func notePosition(_ message: Message) {
        guard case .changes(let changes) = message.command, changes.hasReached else { return }
        let name = FollowName(id: message.envelope.id, attempt: message.envelope.attempt)
        guard let position = broker.core?.tails.position(of: name.id, attempt: name.attempt) else {
            return violate(.verbsInTurn, "a marker for \(name.id.low), which is not followed")
        }
        positions[name, default: []].append(position)
    }

    /// Takes in changes and applies them.
    mutating func take(
        _ changes: WireChanges, _ payload: [UInt8], _ id: RequestID, _ number: Int
    ) {
        guard var answer = clients[number].follows[id] else {
            return violate(
                .verbsInTurn, "client\(number) gets changes of \(id.low), which it does not follow")
        }
        if changes.round != answer.round { answer.hasAdded = false }
        if changes.round < answer.round {
            violate(.changesApply, "round \(changes.round) after \(answer.round)")
        }
        answer.round = changes.round
        answer.query.usedItems += changes.items
        answer.query.usedBytes += UInt64(payload.count)
        if answer.query.usedItems > answer.query.grantedItems
            || answer.query.usedBytes > answer.query.grantedBytes
        {
            violate(
                .creditNeverExceeded, "changes of \(id.low) beyond the credit of client\(number)")
        }
        if changes.items > 0 { apply(payload, to: &answer, id) }
        clients[number].follows[id] = answer
        guard changes.hasReached else { return }
        tally.rounds += 1
        if Self.snapshot(changes.reached.from) != answer.snapshot,
            answer.query.search.indexes != [] || changes.reached.from.count == answer.snapshot.count
        {
            let isBehind = answer.snapshot.contains { index, sequence in
                sequence > Self.snapshot(changes.reached.from)[index] ?? 0
            }
            if isBehind { violate(.changesApply, "a round begins before where the former ended") }
        }
        clients[number].follows[id]?.snapshot = Self.snapshot(changes.reached.to)
        let attempt = clients[number].core.requests[id]?.attempt ?? 0
        let name = FollowName(id: id, attempt: attempt)
        guard positions[name]?.isEmpty == false else {
            return violate(.changesApply, "a marker of \(id.low) came that was not sent")
        }
        compare(answer, with: positions[name]?.removeFirst() ?? [:], id)
    }

    private mutating func apply(
        _ payload: [UInt8], to answer: inout FollowedAnswer, _ id: RequestID
    ) {
        do {
            let batch = try HitBatchReader(payload)
            for place in 0..<batch.count {
                let body = try HitBody(Array(batch.body(place)))
                let document = DocumentCoding.encode(try body.decodeDocument())
                tally.changes += 1
                let isRemoved = batch.key(place).first == ChangeKeys.removed
                if isRemoved, answer.hasAdded {
                    violate(.changesApply, "a removal comes after an addition")
                }
                if !isRemoved { answer.hasAdded = true }
                let count = (answer.hits[document] ?? 0) + (isRemoved ? -1 : 1)
                if count < 0, forsaken.isEmpty {
                    violate(.changesApply, "query \(id.low) removes what is not there")
                }
                answer.hits[document] = count == 0 ? nil : count
            }
        } catch {
            violate(.messagesReadable, "changes are unreadable: \(error)")
        }
    }

    /// Whether an answer is what the shards hold at a position.
    private mutating func compare(
        _ answer: FollowedAnswer, with position: [ShardKey: SequenceNumber], _ id: RequestID
    ) {
        guard forsaken.isEmpty else { return }
        let model = SearchModel(answer.query.search)
        var expected: [[UInt8]: Int] = [:]
        for (key, sequence) in position {
            for document in trueShard(key)?.documents(at: sequence) ?? []
            where model.matches(document) {
                expected[DocumentCoding.encode(document), default: 0] += 1
            }
        }
        guard answer.hits != expected else { return }
        let names = Self.names(answer.hits, expected)
        violate(
            .changesApply,
            "query \(id.low) shows \(answer.hits.values.reduce(0, +)) hits after its changes, the "
                + "shards hold \(expected.values.reduce(0, +)): \(names)")
    }

    private static func names(_ left: [[UInt8]: Int], _ right: [[UInt8]: Int]) -> [String] {
        Set(left.keys).symmetricDifference(right.keys).compactMap {
            (try? DocumentCoding.decode($0)).map { "\($0.uniqueIdentifier) \($0.title)" }
        }.sorted()
    }

    /// The broker told the end, or the session was lost.
    mutating func endFollow(_ id: RequestID, _ failure: WireFailure) {
        tally.endedFollows += 1
        for name in positions.keys where name.id == id { positions[name] = nil }
    }

    /// Applications read on.
    mutating func grantFollows(_ number: Int) {
        for id in clients[number].follows.keys.sorted(by: { $0.low < $1.low }) {
            guard var answer = clients[number].follows[id] else { continue }
            let isLow =
                answer.query.usedItems + 5 > answer.query.grantedItems
                || answer.query.usedBytes + 4_000 > answer.query.grantedBytes
            guard isLow, isCalm || clients[number].requestCount % 2 == 0 else { continue }
            answer.query.grantedItems += 7
            answer.query.grantedBytes += 20_000
            clients[number].follows[id] = answer
            tell(
                number,
                client: .grant(
                    id, items: answer.query.grantedItems, bytes: answer.query.grantedBytes))
        }
    }

    /// At rest, every followed answer is what was acknowledged; then nobody follows any more.
    mutating func expectFollowedAnswers() {
        guard violation == nil else { return }
        for number in clients.indices {
            for id in clients[number].follows.keys.sorted(by: { $0.low < $1.low }) {
                if let answer = clients[number].follows[id] { expectWhole(answer, id) }
                tell(number, client: .cancel(id))
            }
        }
    }

    private mutating func expectWhole(_ answer: FollowedAnswer, _ id: RequestID) {
        guard forsaken.isEmpty else { return }
        let model = SearchModel(answer.query.search)
        let indexes = answer.query.search.indexes
        for identifier in oracle.identifiers {
            let index = String(identifier.prefix { $0 != "/" })
            guard indexes.isEmpty || indexes.contains(index) else { continue }
            let allowed = oracle.allowed(identifier, asked: now, ended: now)
            guard allowed.count == 1, let document = allowed[0],
                model.matches(document)
            else { continue }
            if answer.hits[DocumentCoding.encode(document)] != 1 {
                violate(
                    .changesApply,
                    "\(identifier) was acknowledged and query \(id.low) was not told of it")
            }
        }
    }
}
