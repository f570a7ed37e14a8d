import Synchronization
import Testing

@testable import FresnelSystem

@Suite("Giving the processor away")
struct YieldTests {
    /// A clock and how long the next yields take, one after the other.
    private final class World: Sendable {
        let now = Mutex<Int64>(1_000)
        let yields = Mutex<Int>(0)
        let cost = Mutex<Int64>(0)

        func backoff(processorCount: Int = 2) -> YieldBackoff {
            YieldBackoff(
                clock: { self.time }, yieldTurn: yieldTurn, processorCount: processorCount)
        }
        func yieldPace() -> YieldPace {
            YieldPace(
                clock: { self.time }, yieldTurn: yieldTurn, telling: backoff(), continuing: nil)
        }

        func yieldTurn() {
            pass(cost.withLock { $0 })
            yields.withLock { $0 += 1 }
        }

        func pass(_ nanoseconds: Int64) { now.withLock { $0 += nanoseconds } }
        var time: Int64 { now.withLock { $0 } }
        var count: Int { yields.withLock { $0 } }
    }

    @Test("Yields that are given back at once go on for ever")
    func cheap() {
        let world = World()
        world.cost.withLock { $0 = YieldBackoff.dear }
        let backoff = world.backoff()
        for _ in 0..<100 {
            let before = world.time
            #expect(backoff.yield(at: before) == before + YieldBackoff.dear)
        }
        #expect(world.count == 100)
    }

    @Test("After a dear yield nothing is given away for a while, twice as long each time")
    func dear() {
        let world = World()
        world.cost.withLock { $0 = YieldBackoff.dear + 1 }
        let backoff = world.backoff()
        var rest = YieldBackoff.shortestRest
        for round in 1...8 {
            #expect(backoff.yield(at: world.time) == world.time)
            #expect(world.count == round)
            world.pass(rest - 1)
            #expect(backoff.yield(at: world.time) == nil)
            #expect(world.count == round)
            world.pass(1)
            rest = min(2 * rest, YieldBackoff.longestRest)
        }
        #expect(rest == YieldBackoff.longestRest)
        // Cheap ones make it shorter again.
        world.cost.withLock { $0 = 0 }
        for _ in 0..<2 { #expect(backoff.yield(at: world.time) != nil) }
        world.cost.withLock { $0 = YieldBackoff.dear + 1 }
        #expect(backoff.yield(at: world.time) == world.time)
        world.pass(YieldBackoff.longestRest / 2 - 1)
        #expect(backoff.yield(at: world.time) == nil)
        world.pass(1)
        #expect(backoff.yield(at: world.time) != nil)
    }

    @Test("A long loop yields once an interval, and reads the clock no more often than it is told")
    func loop() {
        let world = World()
        var yieldPace = world.yieldPace()
        world.pass(YieldPace.interval - 1)
        yieldPace.step()
        #expect(world.count == 0)
        world.pass(1)
        for _ in 0..<9 { yieldPace.step(every: 10) }
        #expect(world.count == 0)
        yieldPace.step(every: 10)
        #expect(world.count == 1)
        yieldPace.step()
        #expect(world.count == 1)
    }

    @Test("Of many loops that are short each, every few yield: one goes on where another ended")
    func shortLoops() throws {
        let world = World()
        let kept = try #require(ThreadMoment())
        let loops = 100
        for _ in 0..<loops {
            var yieldPace = YieldPace(
                clock: { world.time }, yieldTurn: world.yieldTurn, telling: world.backoff(),
                continuing: kept)
            world.pass(YieldPace.interval / 4)
            yieldPace.step()
        }
        #expect(world.count == loops / 4)
    }

    @Test("A thread that was idle has not computed on end: its next loop begins anew")
    func idle() throws {
        let world = World()
        let kept = try #require(ThreadMoment())
        func loop() {
            var yieldPace = YieldPace(
                clock: { world.time }, yieldTurn: world.yieldTurn, telling: world.backoff(),
                continuing: kept)
            yieldPace.step()
        }
        loop()
        world.pass(YieldPace.interval + YieldPace.longestStep)
        loop()
        #expect(world.count == 0)
        world.pass(YieldPace.interval + YieldPace.longestStep - 1)
        loop()
        #expect(world.count == 1)
    }

    @Test("A loop inside of another gives way for both")
    func inside() throws {
        let world = World()
        let kept = try #require(ThreadMoment())
        func loop() -> YieldPace {
            YieldPace(
                clock: { world.time }, yieldTurn: world.yieldTurn, telling: world.backoff(),
                continuing: kept)
        }
        var (outer, inner) = (loop(), loop())
        world.pass(YieldPace.interval)
        inner.step()
        #expect(world.count == 1)
        outer.step()
        #expect(world.count == 1)
        world.pass(YieldPace.interval)
        outer.step()
        inner.step()
        #expect(world.count == 2)
    }

    @Test("A yield in which the machine stood still is no reason to give way no more")
    func standingStill() {
        let world = World()
        var yieldPace = world.yieldPace()
        world.cost.withLock { $0 = 600_000_000_000 }
        world.pass(YieldPace.interval)
        yieldPace.step()
        world.pass(YieldPace.longestYield - 1)
        yieldPace.step()
        #expect(world.count == 1)
        world.pass(1)
        yieldPace.step()
        #expect(world.count == 2)
    }

    @Test("Moments of one thread are apart, and hold any instant but zero")
    func moments() throws {
        let (kept, other) = (try #require(ThreadMoment()), try #require(ThreadMoment()))
        #expect(kept.value == nil)
        kept.keep(17)
        other.keep(.max)
        #expect(kept.value == 17)
        #expect(other.value == .max)
        other.keep(.min + 1)
        #expect(other.value == .min + 1)
    }

    @Test("While a thread computes on end, those who are waited for give nothing away")
    func computing() {
        let world = World()
        let backoff = world.backoff()
        var yieldPace = YieldPace(
            clock: { world.time }, yieldTurn: world.yieldTurn, telling: backoff,
            continuing: nil)
        #expect(backoff.yield(at: world.time) != nil)
        world.pass(YieldPace.interval)
        yieldPace.step()
        #expect(backoff.yield(at: world.time) == nil)
        world.pass(YieldPace.interval + YieldPace.longestStep - 1)
        #expect(backoff.yield(at: world.time) == nil)
        world.pass(1)
        #expect(backoff.yield(at: world.time) != nil)
    }

    @Test("Who computes briefly does not end what is known of one that computes for long")
    func computingTwice() {
        let world = World()
        let backoff = world.backoff()
        let pace = YieldPace(
            clock: { world.time }, yieldTurn: world.yieldTurn, telling: backoff,
            continuing: nil)
        var (long, short) = (pace, pace)
        world.cost.withLock { $0 = 20_000_000 }
        world.pass(YieldPace.interval)
        long.step()
        world.cost.withLock { $0 = 0 }
        short.step()
        world.pass(YieldPace.interval + YieldPace.longestStep)
        #expect(backoff.yield(at: world.time) == nil)
        world.pass(20_000_000)
        #expect(backoff.yield(at: world.time) != nil)
    }

    @Test("A loop beside others that take long runs for as long as they do")
    func halves() {
        let world = World()
        var yieldPace = world.yieldPace()
        world.cost.withLock { $0 = 4_000_000 }
        world.pass(YieldPace.interval)
        yieldPace.step()
        #expect(world.count == 1)
        world.pass(3_999_999)
        yieldPace.step()
        #expect(world.count == 1)
        world.pass(1)
        yieldPace.step()
        #expect(world.count == 2)
    }

    @Test("Who computes on end stands aside while somebody waits, for a while and no longer")
    func standingAside() {
        let world = World()
        let backoff = world.backoff()
        let pauses = Mutex<Int>(0)
        var pace = YieldPace(
            clock: { world.time }, yieldTurn: world.yieldTurn,
            standAside: {
                world.pass(100_000)
                pauses.withLock { $0 += 1 }
            }, telling: backoff, continuing: nil)
        world.pass(YieldPace.interval)
        backoff.whileAwaited {
            // What is waited for does not wait for itself.
            pace.step()
        }
        #expect(pauses.withLock { $0 } == 0)
        #expect(world.count == 0)

        // As if another thread did.
        backoff.beginAwaited()
        world.pass(YieldPace.interval)
        pace.step()
        #expect(pauses.withLock { $0 } == Int(YieldPace.longestPause / 100_000))
        #expect(world.count == 0)
        // It runs for as long as it stood aside before it does so again; a turn it gives away.
        world.pass(YieldPace.interval)
        pace.step()
        #expect(world.count == 1)
        world.pass(YieldPace.longestPause - YieldPace.interval - 1)
        pace.step()
        #expect(world.count == 2)
        #expect(pauses.withLock { $0 } == Int(YieldPace.longestPause / 100_000))
        backoff.endAwaited()
        world.pass(YieldPace.interval)
        pace.step()
        #expect(world.count == 3)
    }

    @Test("However many loops it runs through, a thread stands aside for half of the time at most")
    func halfOfTheTime() throws {
        let world = World()
        let backoff = world.backoff()
        backoff.beginAwaited()
        let stoodAside = Mutex<Int64>(0)
        let start = world.time
        let kept = try #require(ThreadMoment())
        for _ in 0..<1000 {
            // A loop of its own each time, as each column of a merge has one.
            var pace = YieldPace(
                clock: { world.time }, yieldTurn: world.yieldTurn,
                standAside: {
                    world.pass(100_000)
                    stoodAside.withLock { $0 += 100_000 }
                }, telling: backoff, continuing: kept)
            world.pass(YieldPace.interval)
            pace.step()
        }
        let share = Double(stoodAside.withLock { $0 }) / Double(world.time - start)
        #expect((0.4...0.51).contains(share), "\(share)")
    }

    @Test("Nobody stands aside where there are processors enough", arguments: [1, 2, 3, 16])
    func processorsEnough(count: Int) {
        let backoff = World().backoff(processorCount: count)
        #expect(!backoff.isAwaited)
        backoff.beginAwaited()
        #expect(backoff.isAwaited == (count <= 2))
        backoff.beginAwaited()
        #expect(backoff.isAwaited == (count <= 3))
        // What this thread itself computes for others is no reason, however deep it is in that.
        backoff.whileAwaited {
            backoff.whileAwaited { #expect(!backoff.isAwaited) }
            #expect(!backoff.isAwaited)
        }
        #expect(backoff.isAwaited == (count <= 3))
        backoff.endAwaited()
        backoff.endAwaited()
        #expect(!backoff.isAwaited)
    }
}
