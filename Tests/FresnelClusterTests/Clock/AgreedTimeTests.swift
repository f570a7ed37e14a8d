import FresnelModel
import TestChance
import Testing

@testable import FresnelCluster

/// Both clocks, `seconds` after a start, with the wall clock ahead of what it should be.
private func reading(_ seconds: Double, ahead: Double = 0) -> Moment {
    Moment(
        instant: Instant(nanoseconds: Int64(seconds * 1e9)),
        wall: Timestamp(seconds: 1_000_000 + seconds + ahead) ?? Timestamp(wholeSeconds: 0))
}

private let day = 86_400.0
private let hour = 3600.0

@Suite("The time by which what has expired is dropped")
struct AgreedTimeTests {
    private let worker = WorkerID("w1")

    /// What may be dropped, as a distance from the true time; nil for nothing.
    private func age(_ time: inout AgreedTime, at seconds: Double) -> Double? {
        time.expiredBy(at: reading(seconds).instant).map { 1_000_000 + seconds - $0 }
    }

    @Test("Nothing is dropped for the first hour, and then what had expired an hour ago")
    func start() {
        var time = AgreedTime(at: reading(0))
        for seconds in [0, 1800, hour - 1] {
            #expect(time.observe(reading(seconds)) == nil)
            #expect(age(&time, at: seconds) == nil)
        }
        for seconds in [hour, 2 * hour, 100 * day] {
            #expect(time.observe(reading(seconds)) == nil)
            #expect(age(&time, at: seconds) == hour)
        }
    }

    @Test(
        "A clock that is set for ten seconds is told of, and drops nothing that has not expired",
        arguments: [40 * day, -40 * day, 61, -61, 20_000 * day])
    func glitch(distance: Double) throws {
        var time = AgreedTime(at: reading(0))
        _ = time.observe(reading(2 * hour))
        let told = time.observe(reading(2 * hour + 1, ahead: distance))
        let news = try #require(told)
        #expect(news.level == .error && news.text.contains(distance < 0 ? "back" : "ahead"))
        for seconds in stride(from: 2 * hour + 1, to: 2 * hour + 11, by: 1) {
            #expect(time.observe(reading(seconds, ahead: distance)) == nil)
            #expect(age(&time, at: seconds) == nil)
            #expect(time.trouble(at: reading(seconds, ahead: distance)) != nil)
            // Nothing has expired that had not, and nothing lives for less than it should.
            let stamp = time.stamp(at: reading(seconds).instant)
            #expect(stamp.earliest <= 1_000_000 + seconds)
            #expect(stamp.latest >= 1_000_000 + seconds)
        }
        #expect(time.observe(reading(2 * hour + 11))?.level == .warning)
        #expect(time.trouble(at: reading(2 * hour + 11)) == nil)
        #expect(age(&time, at: 2 * hour + 11) == hour)
    }

    @Test("A clock that was set and stays counts after an hour, from the time it was set")
    func correction() {
        var time = AgreedTime(at: reading(0, ahead: -5 * hour))
        #expect(time.observe(reading(60)) != nil)
        #expect(time.doubt != nil)
        for seconds in stride(from: 120, to: hour + 60, by: 60) {
            #expect(time.observe(reading(seconds)) == nil)
            #expect(age(&time, at: seconds) == nil)
        }
        _ = time.observe(reading(hour + 60))
        #expect(age(&time, at: hour + 60) == hour)
        #expect(time.doubt == nil && time.trouble(at: reading(hour + 60)) == nil)
    }

    @Test("A clock that is more than a day from what was known waits for a day")
    func gap() {
        let known = Timestamp(wholeSeconds: 1_000_000 - Int64(40 * day))
        var time = AgreedTime(at: reading(0), known: known)
        // What expired meanwhile is there for writes: an hour is time enough to see a wrong clock.
        #expect(
            time.stamp(at: reading(10).instant)
                == .init(earliest: known.seconds + 10, latest: 1_000_010))
        #expect(time.doubt == nil)
        for (seconds, mayDrop) in [(2 * hour, false), (day - 1, false), (day, true)] {
            _ = time.observe(reading(seconds))
            #expect((age(&time, at: seconds) != nil) == mayDrop, "\(seconds)")
        }
    }

    @Test("A clock that is behind what was written down gives nothing a shorter life")
    func behindKnown() {
        let known = Timestamp(wholeSeconds: 1_000_000)
        var time = AgreedTime(at: reading(0, ahead: -30 * day), known: known)
        let stamp = time.stamp(at: reading(10).instant)
        #expect(stamp.latest == 1_000_010 && stamp.earliest == 1_000_010 - 30 * day)
        #expect(time.doubt != nil)
        // In an hour nobody has set it right: then it is believed.
        _ = time.observe(reading(hour, ahead: -30 * day))
        #expect(time.doubt == nil)
    }

    @Test(
        "A worker's clock that differs by more than a minute stops all dropping and is told of",
        arguments: [(59.0, true), (-59, true), (61, false), (-61, false), (40 * day, false)])
    func workers(lead: Double, mayDrop: Bool) {
        var time = AgreedTime(at: reading(0))
        let now = reading(2 * hour)
        _ = time.observe(now)
        time.hear(worker, shows: now.wall.seconds + lead, at: now)
        #expect((time.expiredBy(at: now.instant) != nil) == mayDrop)
        #expect((time.trouble(at: now) == nil) == mayDrop)
        #expect(time.news(at: now) == nil, "a clock that is set is heard of by and by")
        #expect((time.news(at: reading(2 * hour + 2)) == nil) == mayDrop)
        #expect(time.news(at: reading(2 * hour + 30)) == nil, "once a minute")
        #expect((time.news(at: reading(2 * hour + 63)) == nil) == mayDrop)
        // Of two clocks the later one gives life.
        let stamp = time.stamp(at: now.instant)
        #expect(abs(stamp.latest - now.wall.seconds - max(0, lead)) < 0.001)
        #expect(abs(stamp.earliest - now.wall.seconds - min(0, lead)) < 0.001)
        time.forget(worker)
        #expect(time.expiredBy(at: now.instant) != nil)
        #expect((time.news(at: now) != nil) == !mayDrop, "it is told once that they agree")
    }

    @Test("A broker whose clock most workers contradict stamps nothing by it alone")
    func majority() throws {
        let wrong = 40 * day
        var time = AgreedTime(at: reading(0, ahead: wrong))
        for name in ["a", "b"] {
            time.hear(
                WorkerID(name), shows: reading(1).wall.seconds, at: reading(1, ahead: wrong))
        }
        let stamp = time.stamp(at: reading(1).instant)
        #expect(stamp.earliest == reading(1).wall.seconds)
        #expect(stamp.latest == reading(1, ahead: wrong).wall.seconds)
        let trouble = try #require(time.trouble(at: reading(1, ahead: wrong)))
        #expect(trouble.contains("40 days behind") && trouble.contains("contradict"))
        // A single one that is wrong moves nothing.
        var sound = AgreedTime(at: reading(0))
        sound.hear(WorkerID("a"), shows: reading(1).wall.seconds, at: reading(1))
        sound.hear(WorkerID("b"), shows: reading(1, ahead: wrong).wall.seconds, at: reading(1))
        let right = AgreedTime.Stamp(earliest: 1_000_001, latest: 1_000_001)
        #expect(sound.stamp(at: reading(1).instant) == right)
    }

    @Test("Of two clocks nobody knows the right one: nothing lives shorter than by both")
    func oneWorker() {
        let wrong = 20 * day
        for (broker, other) in [(-wrong, 0.0), (wrong, 0), (0, -wrong), (0, wrong)] {
            var time = AgreedTime(at: reading(0, ahead: broker))
            time.hear(
                worker, shows: reading(1, ahead: other).wall.seconds,
                at: reading(1, ahead: broker))
            let times = [broker, other].map { reading(1, ahead: $0).wall.seconds }
            let stamp = time.stamp(at: reading(1).instant)
            #expect(stamp.earliest == times.min() && stamp.latest == times.max())
        }
    }

    @Test("No write looks back behind what was dropped, whatever the clock is set to")
    func neverBehind() throws {
        var time = AgreedTime(at: reading(0))
        _ = time.observe(reading(3 * hour))
        let given = time.expiredBy(at: reading(3 * hour).instant)
        let dropped = try #require(given)
        _ = time.observe(reading(3 * hour + 1, ahead: -10 * day))
        #expect(time.stamp(at: reading(3 * hour + 1).instant).earliest == dropped)
        // What a replica dropped by an earlier broker's word counts as well, unless it cannot be.
        time.noteDropped(until: dropped + 60, at: reading(3 * hour + 1))
        #expect(time.stamp(at: reading(3 * hour + 1).instant).earliest == dropped + 60)
        time.noteDropped(until: 1_000_000 + 40 * day, at: reading(3 * hour + 1))
        #expect(time.stamp(at: reading(3 * hour + 1).instant).earliest == dropped + 60)
    }

    @Test(
        "However clocks jump, nothing goes that has not been expired for an hour of two clocks",
        arguments: UInt64(0)..<200)
    func anything(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var time = AgreedTime(at: reading(0))
        var now = 0.0
        // The broker's clock is right but for glitches of less than an hour.
        var (error, mends) = (0.0, 0.0)
        for _ in 0..<2000 {
            now += Double(random.number(in: 1...120))
            if error == 0, random.chance(2) {
                error = Double(random.number(in: -90_000...90_000)) * 60
                mends = now + Double(random.number(in: 1...3000))
            } else if now >= mends {
                error = 0
            }
            let moment = reading(now, ahead: error)
            _ = time.observe(moment)
            let truth = reading(now).wall.seconds
            if let dropped = time.expiredBy(at: moment.instant) {
                #expect(dropped <= truth - hour + 60, "seed \(seed), at \(now)")
            }
            let stamp = time.stamp(at: moment.instant)
            #expect(stamp.earliest <= truth + 60 && stamp.latest >= truth - 60, "seed \(seed)")
        }
    }
}

@Suite("What a worker may drop by its broker's word")
struct DropPermitTests {
    /// A permit of a broker whose clock is right.
    private func permit(expiredBy: Double?, at seconds: Double) -> DropPermit {
        var permit = DropPermit()
        let now = reading(seconds)
        permit.hear(expiredBy: expiredBy, brokerShows: now.wall.seconds, at: now.instant)
        return permit
    }

    @Test("It holds for seconds, for this session, and while both clocks agree")
    func life() {
        let expired = 1_000_000 - hour
        var permit = permit(expiredBy: expired, at: 10)
        #expect(permit.expiredBy(at: reading(19)) == expired)
        #expect(permit.expiredBy(at: reading(21)) == nil)
        #expect(permit.expiredBy(at: reading(11, ahead: 40 * day)) == nil)
        #expect(permit.expiredBy(at: reading(11, ahead: -61)) == nil)
        permit.revoke()
        #expect(permit.expiredBy(at: reading(11)) == nil)
        #expect(self.permit(expiredBy: nil, at: 10).expiredBy(at: reading(11)) == nil)
    }

    @Test("A broker that claims more than both clocks show is not believed")
    func liar() {
        #expect(permit(expiredBy: 1_000_000, at: 10).expiredBy(at: reading(11)) == nil)
        #expect(permit(expiredBy: .infinity, at: 10).expiredBy(at: reading(11)) == nil)
    }

    @Test("A difference is told once a minute, and its end once")
    func news() {
        var permit = permit(expiredBy: nil, at: 10)
        #expect(permit.news(at: reading(11)) == nil)
        #expect(permit.news(at: reading(12, ahead: 40 * day)) == nil)
        #expect(permit.news(at: reading(12.5)) == nil, "what was never said has no end")
        #expect(permit.news(at: reading(13, ahead: 40 * day)) == nil)
        let news = permit.news(at: reading(15, ahead: 40 * day))
        #expect(news?.level == .error && news?.text.contains("40 days ahead") == true)
        #expect(permit.news(at: reading(16, ahead: 40 * day)) == nil)
        #expect(permit.news(at: reading(76, ahead: 40 * day)) != nil)
        #expect(permit.news(at: reading(77))?.level == .information)
        #expect(permit.news(at: reading(78)) == nil)
    }
}
