import FresnelModel
import FresnelQuery
import FresnelWire
import Testing

@testable import FresnelCluster

private let day = 86_400.0
private let hour = 3600.0
private let month = 30 * day

@Suite("Answers by a clock that may be wrong")
struct ClockDoubtTests {
    /// A shard in which something expires then, and another one in which nothing does.
    private func shards(expiring next: Double) -> [WireShardReport] {
        var expiring = report(0)
        expiring.nextExpiration = next
        return [expiring, report(1)]
    }

    private func warning(
        shows now: Double, between earliest: Double, and latest: Double, next: Double,
        readsClock: Bool = false
    ) -> String? {
        ClockDoubt(cause: "was set", earliest: earliest, latest: latest)
            .warning(at: now, readsClock: readsClock, shards(expiring: next))?.message
    }

    @Test("Where nothing expires by any of the times, and no query asks for one, nothing is said")
    func untouched() {
        #expect(warning(shows: month, between: 0, and: month, next: 0) == nil)
        #expect(warning(shows: month, between: 0, and: month, next: month + 1) == nil)
        #expect(warning(shows: 0, between: 0, and: month, next: month + 1) == nil)
    }

    @Test("A clock that is ahead may hide what lives, one that is behind shows what does not")
    func consequences() throws {
        let ahead = try #require(warning(shows: month, between: 0, and: month, next: month))
        #expect(ahead.contains("have not expired may be missing") && !ahead.contains("be found"))
        let behind = try #require(warning(shows: 0, between: 0, and: month, next: day))
        #expect(behind.contains("have expired may be found") && !behind.contains("missing"))
        let either = try #require(warning(shows: day, between: 0, and: month, next: day))
        #expect(either.contains("missing") && either.contains("be found"))
        let asked = try #require(
            warning(shows: month, between: 0, and: month, next: 0, readsClock: true))
        #expect(asked.contains("$time") && !asked.contains("missing"))
        #expect([ahead, behind, either, asked].allSatisfy { $0.contains("fresnel status") })
    }

    /// A broker that has run for a minute, and whose worker told its clock.
    private func asker(workerAhead: Double = 0) throws -> RepeatedAnswersTests.Asker {
        var asker = try RepeatedAnswersTests.Asker()
        for seconds in stride(from: 1.0, through: 60, by: 1) {
            asker.broker.decide(.tick, after: seconds)
            pong(&asker, ahead: workerAhead, after: seconds)
        }
        return asker
    }

    private func pong(
        _ asker: inout RepeatedAnswersTests.Asker, ahead: Double = 0, after seconds: Double
    ) {
        var pulse = WirePulse()
        pulse.wallClock = moment(seconds).wall.seconds + ahead
        asker.broker.receive(.pong(pulse), from: address(1, .worker), after: seconds)
        asker.broker.receive(.pong(WirePulse()), from: address(2), after: seconds)
    }

    @Test("An answer of the moment in which the clock was set says so, and nobody keeps it")
    func set() throws {
        var asker = try asker()
        asker.expiration = moment(60).wall.seconds + day
        #expect(try asker.done(search(), after: 60).warnings.isEmpty)
        asker.broker.clockError = 40 * day
        // No tick has come in between.
        for seconds in [60.5, 61, 62] {
            let done = try asker.done(search(), after: seconds)
            let told = done.warnings.map(\.message)
            #expect(told.count == 1 && told[0].contains("set 40 days ahead"), "\(told)")
            #expect(done.warnings.allSatisfy { !$0.hasOffset })
            #expect(!asker.knows(search(), after: seconds))
        }
        asker.broker.clockError = 0
        #expect(try asker.done(search(), after: 63).warnings.isEmpty)
        _ = try asker.done(search(), after: 63)
        #expect(asker.knows(search(), after: 63), "it is told by heart again")
    }

    @Test("What is told by heart is not told while the clock is in doubt")
    func byHeart() throws {
        var asker = try asker()
        asker.expiration = moment(60).wall.seconds + day
        for _ in 0..<2 { _ = try asker.done(search(), after: 60) }
        #expect(asker.knows(search(), after: 60))
        let known = asker.broker.core.counters.keptAnswers
        pong(&asker, ahead: 40 * day, after: 60.5)
        let done = try asker.done(search(), after: 60.5)
        let told = done.warnings.map(\.message)
        #expect(told.contains { $0.contains("have expired may be found") }, "\(told)")
        // It is kept and still true by the broker's clock: nobody needs to look again.
        #expect(done.kept && asker.broker.core.counters.keptAnswers == known + 1)
        pong(&asker, after: 60.6)
        #expect(try asker.done(search(), after: 60.6).warnings.isEmpty)
    }

    @Test("Who says himself as of when he asks hears nothing of the broker's clock")
    func pinned() throws {
        var asker = try asker()
        asker.expiration = 500
        asker.broker.clockError = 40 * day
        var search = search()
        search.context.now = 1000
        #expect(try asker.done(search, after: 61).warnings.isEmpty)
    }

    @Test("A query that asks for the time hears of it though nothing expires")
    func readsClock() throws {
        var asker = try asker()
        asker.broker.clockError = 40 * day
        #expect(try asker.done(search(), after: 61).warnings.isEmpty)
        let done = try asker.done(
            search("contentCreationDate > $time.today(-1)"), after: 61)
        #expect(done.warnings.map(\.message).contains { $0.contains("$time in the query") })
    }

    @Test("One clock against another: the answer names the worker, and both directions are right")
    func contradicted() throws {
        for (lead, word) in [(40 * day, "behind"), (-40 * day, "ahead of")] {
            var asker = try asker(workerAhead: lead)
            asker.expiration = moment(61).wall.seconds + day
            let done = try asker.done(search(), after: 61)
            let told = done.warnings.map(\.message)
            // Where the worker is behind, nothing that lives by either clock is hidden: what
            // expires tomorrow by the broker's does so later by the worker's.
            #expect(told.isEmpty == (lead < 0), "\(told)")
            asker.expiration = moment(61).wall.seconds
            let now = try asker.done(search("rating >= 2"), after: 61.5).warnings.map(\.message)
            #expect(now.contains { $0.contains("is 40 days \(word) that of worker w") }, "\(now)")
        }
    }

    @Test("A clock that more than half of all agree with is believed")
    func majority() {
        var time = AgreedTime(at: moment())
        time.hear(WorkerID("a"), shows: moment().wall.seconds + month, at: moment())
        #expect(time.doubtOfAnswers(at: moment()) != nil)
        time.hear(WorkerID("b"), shows: moment().wall.seconds, at: moment())
        #expect(time.doubtOfAnswers(at: moment()) == nil)
        time.hear(WorkerID("c"), shows: moment().wall.seconds + month, at: moment())
        let doubt = time.doubtOfAnswers(at: moment())
        #expect(doubt?.cause.contains("worker a (1 more") == true, "\(doubt?.cause ?? "")")
        #expect(doubt?.earliest == moment().wall.seconds)
        #expect(doubt?.latest == moment().wall.seconds + month)
        time.forget(WorkerID("a"))
        #expect(time.doubtOfAnswers(at: moment()) == nil)
    }

    @Test("A broker that starts behind what it had written down doubts for an hour")
    func behindKnown() {
        let known = Timestamp(seconds: moment().wall.seconds + month)
        var time = AgreedTime(at: moment(), known: known)
        let doubt = time.doubtOfAnswers(at: moment(10))
        #expect(doubt?.cause.contains("30 days behind") == true)
        #expect(doubt?.latest == moment(10).wall.seconds + month)
        _ = time.observe(moment(hour))
        #expect(time.doubtOfAnswers(at: moment(hour)) == nil)
    }
}
