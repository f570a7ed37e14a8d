import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Search tasks of a worker")
struct TaskTableTests {
    private var core: WorkerCore

    init() {
        core = WorkerCore(name: WorkerID("w"), bootID: 1, software: "test", at: start)
        _ = core.decide(.received(welcome, lane: .control), at: start)
        _ = core.decide(.received(Message(Envelope(), .joined), lane: .data), at: start)
    }

    private var welcome: Message {
        var welcome = WireWelcome()
        welcome.incarnation = 1
        welcome.sessionToken = 5
        welcome.deadAfterMs = 5000
        return Message(Envelope(), .welcome(welcome))
    }

    private mutating func receive(
        _ command: Command, part: UInt32 = 0, after seconds: Double = 0
    ) -> [WorkerEffect] {
        var envelope = Envelope(id: RequestID(high: 0, low: 1), part: part)
        envelope.budget = .seconds(10)
        let message = Message(envelope, command)
        return core.decide(.received(message, lane: message.lane), at: at(seconds))
    }

    private mutating func subquery(
        credit: UInt64 = 10, countOnly: Bool = false, part: UInt32 = 0
    ) -> [WorkerEffect] {
        var subquery = WireSubquery()
        subquery.search = search(credit: credit)
        subquery.search.countOnly = countOnly
        return receive(.subquery(subquery), part: part)
    }

    private mutating func matched(
        _ id: UInt64 = 1, available: UInt64 = 10, after seconds: Double = 0
    ) -> [WorkerEffect] {
        let outcome = MatchOutcome(reports: [report(0, found: available)], available: available)
        return core.decide(.matched(TaskID(id), outcome), at: at(seconds))
    }

    private mutating func produced(
        _ count: Int, isLast: Bool, after seconds: Double = 0, bound: [UInt8] = []
    ) -> [WorkerEffect] {
        let batch = ProducedBatch(
            payload: hitBatch((0..<count).map { "\($0)" }), items: count, isLast: isLast,
            fetchMicroseconds: 3, bound: bound)
        return core.decide(.produced(TaskID(1), batch), at: at(seconds))
    }

    /// Effects by name, so that whole answers can be compared.
    private func names(_ effects: [WorkerEffect]) -> [String] {
        effects.map { effect in
            switch effect {
            case .send(let message, _): "\(message.verb)"
            case .match(let id, _, _): "match \(id.number)"
            case .count(let id, _, _): "count \(id.number)"
            case .produce(let id, let items, _): "produce \(id.number) up to \(items)"
            case .narrow(let id, let key): "narrow \(id.number) to \(key)"
            case .cancel(let id): "cancel \(id.number)"
            case .forget(let id, _): "forget \(id.number)"
            case .connectData, .host, .ingest, .transfer, .check, .store, .sweepRestored,
                .drop, .brokerTime, .survey, .join, .log:
                "other"
            }
        }
    }

    @Test("A part is matched, sent under credit, reported once and forgotten once")
    mutating func whole() {
        #expect(names(subquery()) == ["match 1"])
        #expect(names(matched()) == ["produce 1 up to 10"])
        #expect(names(produced(4, isLast: false)) == ["FOUND", "produce 1 up to 6"])
        #expect(names(produced(6, isLast: true)) == ["FOUND", "forget 1", "PART_DONE"])
        #expect(core.tasks.count == 0)
        #expect(names(produced(1, isLast: true)) == ["forget 1"])
    }

    @Test("A batch that came with matching is sent like one that was asked for")
    mutating func first() {
        _ = subquery(credit: 4)
        let first = ProducedBatch(
            payload: hitBatch(["a"]), items: 1, isLast: false, fetchMicroseconds: 3)
        let outcome = MatchOutcome(reports: [report(0, found: 3)], available: 3, first: first)
        #expect(outcome.holdsHits)
        let effects = core.decide(.matched(TaskID(1), outcome), at: start)
        #expect(names(effects) == ["FOUND", "produce 1 up to 3"])
        let last = produced(2, isLast: true)
        #expect(names(last) == ["FOUND", "forget 1", "PART_DONE"])
        #expect(held(last) == [false])
    }

    @Test("What a search counted for itself is told once, with the first that it tells")
    mutating func ownStatistics() {
        var statistics = WireStatistics()
        statistics.documents = 9
        let told = { (effects: [WorkerEffect]) -> [UInt64] in
            effects.compactMap { effect in
                guard case .send(let message, _) = effect else { return nil }
                return switch message.command {
                case .found(let found): found.hasStatistics ? found.statistics.documents : 0
                case .partDone(let done): done.hasStatistics ? done.statistics.documents : 0
                default: nil
                }
            }
        }
        _ = subquery(credit: 4)
        let first = ProducedBatch(
            payload: hitBatch(["a"]), items: 1, isLast: false, fetchMicroseconds: 3)
        let some = MatchOutcome(
            reports: [report(0, found: 3)], available: 3, statistics: statistics, first: first)
        #expect(told(core.decide(.matched(TaskID(1), some), at: start)) == [9])
        #expect(told(produced(2, isLast: true)) == [0, 0])
        _ = subquery(part: 1)
        let none = MatchOutcome(reports: [report(0)], available: 0, statistics: statistics)
        #expect(told(core.decide(.matched(TaskID(2), none), at: start)) == [9])
    }

    @Test("Where a batch that came with matching is all, nothing is asked for or held")
    mutating func onlyBatch() {
        _ = subquery()
        let first = ProducedBatch(
            payload: hitBatch(["a"]), items: 1, isLast: true, fetchMicroseconds: 3)
        let outcome = MatchOutcome(reports: [report(0, found: 1)], available: 1, first: first)
        #expect(!outcome.holdsHits)
        let effects = core.decide(.matched(TaskID(1), outcome), at: start)
        #expect(names(effects) == ["FOUND", "forget 1", "PART_DONE"])
        #expect(held(effects) == [false])
    }

    @Test("Whoever wants no more is told what it still holds")
    mutating func heldHits() {
        _ = subquery(credit: 2)
        _ = matched()
        _ = produced(2, isLast: false)
        var credit = WireCredit()
        credit.enough = true
        #expect(held(receive(.credit(credit))) == [true])
    }

    /// What `forget`s say of hits that are held.
    private func held(_ effects: [WorkerEffect]) -> [Bool] {
        effects.compactMap { effect in
            if case .forget(_, let isHeld) = effect { isHeld } else { nil }
        }
    }

    /// The bounds of FOUNDs, in order.
    private func bounds(_ effects: [WorkerEffect]) -> [[UInt8]] {
        effects.compactMap { effect in
            guard case .send(let message, _) = effect, case .found(let found) = message.command
            else { return nil }
            return found.boundBytes
        }
    }

    @Test("Q-53: A bound without hits is sent and counted; without either nothing is")
    mutating func loneBound() {
        _ = subquery()
        _ = matched()
        #expect(names(produced(0, isLast: false)) == ["produce 1 up to 10"])
        let alone = produced(0, isLast: false, bound: [7])
        #expect(names(alone) == ["FOUND", "produce 1 up to 10"] && bounds(alone) == [[7]])
        let last = produced(1, isLast: true)
        guard case .send(let message, _)? = last.first else {
            Issue.record("no batch: \(names(last))")
            return
        }
        #expect(message.envelope.sequence == 1 && bounds(last) == [[]])
    }

    @Test("Q-34: Of a page whose hits are all left out, the broker hears how many there are")
    mutating func leftOutPage() {
        _ = subquery()
        let outcome = MatchOutcome(reports: [report(0, found: 9)], available: 0, beyond: 5)
        let effects = core.decide(.matched(TaskID(1), outcome), at: start)
        #expect(names(effects) == ["forget 1", "FOUND", "PART_DONE"])
        guard case .send(let message, _) = effects[1], case .found(let found) = message.command
        else { return }
        #expect(found.beyond == 5 && found.items == 0 && message.payload == hitBatch([]))
    }

    @Test("Q-50: A bound that is too long is cut, which makes it an earlier one")
    mutating func longBound() {
        _ = subquery()
        _ = matched()
        let key = [UInt8](repeating: 9, count: 60_000)
        let sent = produced(1, isLast: false, bound: key)
        #expect(bounds(sent) == [[UInt8](key.prefix(Limits.boundBytes))])
    }

    @Test("A batch that its time cut short is the last, and the report says so")
    mutating func late() {
        _ = subquery()
        _ = matched()
        let effects = produced(2, isLast: false, after: 11, bound: [7])
        #expect(names(effects) == ["FOUND", "forget 1", "PART_DONE"])
        guard case .send(let message, _)? = effects.last, case .partDone(let done) = message.command
        else { return }
        #expect(done.shards.allSatisfy { $0.status == .deadline })
        #expect(names(produced(0, isLast: false, after: 11)) == ["forget 1"])
    }

    @Test("Without credit nothing is produced; a grant goes on, an old grant does not")
    mutating func credit() {
        _ = subquery(credit: 2)
        _ = matched()
        #expect(names(produced(2, isLast: false)) == ["FOUND"])
        var credit = WireCredit()
        credit.items = 2
        credit.bytes = 1 << 30
        #expect(names(receive(.credit(credit))) == [])
        credit.items = 5
        #expect(names(receive(.credit(credit))) == ["produce 1 up to 3"])
        #expect(names(receive(.credit(credit))) == [])
    }

    @Test(
        "Counting only, or nothing found: the report comes at once",
        arguments: [(true, 10), (false, 0)] as [(Bool, UInt64)])
    mutating func nothingToSend(countOnly: Bool, available: UInt64) {
        _ = subquery(countOnly: countOnly)
        #expect(names(matched(available: available)) == ["forget 1", "PART_DONE"])
    }

    @Test("Facets travel in PART_DONE, and filters that were known are counted")
    mutating func facets() {
        _ = subquery()
        var facet = WireFacetCounts()
        facet.attribute = "keywords"
        let outcome = MatchOutcome(
            reports: [report(0)], available: 0, facets: [facet], knownFilters: 3)
        let effects = core.decide(.matched(TaskID(1), outcome), at: at(0))
        let facets = effects.compactMap { effect -> [WireFacetCounts]? in
            guard case .send(let message, _) = effect, case .partDone(let done) = message.command
            else { return nil }
            return done.facets
        }
        #expect(facets == [[facet]])
        #expect(core.counters.knownFilters == 3)
    }

    @Test("Enough ends the hits and keeps the counts, in every phase", arguments: 0...2)
    mutating func enough(phase: Int) {
        var credit = WireCredit()
        credit.enough = true
        _ = subquery(credit: 4)
        if phase == 0 {
            #expect(names(receive(.credit(credit))) == [])
            #expect(names(matched()) == ["forget 1", "PART_DONE"])
            return
        }
        _ = matched()
        if phase == 1 {
            #expect(names(receive(.credit(credit))) == [])
            #expect(names(produced(4, isLast: false)) == ["forget 1", "PART_DONE"])
            return
        }
        _ = produced(4, isLast: false)
        #expect(names(receive(.credit(credit))) == ["forget 1", "PART_DONE"])
    }

    @Test("Cancel is silent, and forgets exactly once in every phase", arguments: 0...2)
    mutating func cancel(phase: Int) {
        _ = subquery(credit: 4)
        if phase == 0 {
            #expect(names(receive(.cancel)) == ["cancel 1"])
            #expect(names(matched()) == ["forget 1"])
        } else if phase == 1 {
            _ = matched()
            #expect(names(receive(.cancel)) == ["cancel 1"])
            #expect(names(produced(4, isLast: false)) == ["forget 1"])
        } else {
            _ = matched()
            _ = produced(4, isLast: false)
            #expect(names(receive(.cancel)) == ["forget 1"])
        }
        #expect(names(receive(.cancel)) == [])
        #expect(core.tasks.count == 0)
    }

    @Test(
        "Counting answers with statistics and forgets; a cancelled count only forgets",
        arguments: [true, false])
    mutating func counting(isCancelled: Bool) {
        var subquery = WireSubquery()
        subquery.search = search()
        #expect(names(receive(.statistics(subquery))) == ["count 1"])
        if isCancelled { #expect(names(receive(.cancel)) == ["cancel 1"]) }
        let answer = core.decide(.counted(TaskID(1), WireStatistics()), at: start)
        #expect(names(answer) == (isCancelled ? ["forget 1"] : ["forget 1", "STATISTICS_REPLY"]))
    }

    @Test("A part that waits for credit beyond its time is reported with its counts, as late")
    mutating func expiry() {
        _ = subquery(credit: 4)
        _ = matched()
        _ = produced(4, isLast: false)
        #expect(names(core.decide(.tick, at: at(9.9))) == [])
        let late = core.decide(.tick, at: at(10))
        #expect(names(late).prefix(2) == ["forget 1", "PART_DONE"])
        guard case .send(let message, _) = late[1], case .partDone(let done) = message.command
        else { return }
        #expect(done.shards.map(\.status) == [.deadline] && done.shards.map(\.found) == [10])
    }

    @Test("A search that breaks is reported as an error once")
    mutating func failure() {
        _ = subquery()
        let failed = core.decide(.searchFailed(TaskID(1), reason: "no"), at: start)
        #expect(names(failed) == ["forget 1", "ERROR"])
        #expect(
            names(core.decide(.searchFailed(TaskID(1), reason: "no"), at: start)) == ["forget 1"])
    }

    @Test(
        "Counting that ran out of time is told as late, so that the broker does not call it broken")
    mutating func lateCounting() {
        var subquery = WireSubquery()
        subquery.search = search()
        _ = receive(.statistics(subquery))
        let late = core.decide(.searchLate(TaskID(1)), at: start)
        #expect(names(late) == ["forget 1", "ERROR"])
        guard case .send(let message, _)? = late.last, case .error(let failure) = message.command
        else { return }
        #expect(failure.code == ErrorCode.budgetExhausted.number)
    }

    @Test("A worker with very many shards names them in several HOSTED, each once")
    mutating func manyShards() {
        let inventory = (0..<2500 as Range<UInt32>).map { number in
            var shard = WireShardInventory()
            shard.shard = number
            return shard
        }
        let effects = core.decide(.hosted(inventory, failures: []), at: start)
        #expect(names(effects) == ["HOSTED", "HOSTED", "HOSTED"])
        let named = effects.flatMap { effect -> [UInt32] in
            guard case .send(let message, _) = effect, case .hosted(let hosted) = message.command
            else { return [] }
            return hosted.shards.map(\.shard)
        }
        #expect(named == Array(0..<2500))
    }

    @Test("A repeated SUBQUERY starts nothing; too many are refused with BUSY")
    mutating func admission() {
        _ = subquery()
        #expect(names(subquery()) == [])
        for part in 1..<UInt32(Limits.tasksPerWorker) { _ = subquery(part: part) }
        #expect(names(subquery(part: 99_999)) == ["BUSY"])
        #expect(core.tasks.count == Limits.tasksPerWorker)
    }
}
