import FresnelLoad
import Testing

@testable import FresnelLoad

/// What a load reads from two looks at a cluster.
@Suite("What a cluster does by itself")
struct ClusterCourseTests {
    private func look(
        _ workers: [(String, merges: UInt64, bytes: UInt64)], away: [String] = []
    ) -> ClusterLook {
        var look = ClusterLook()
        for (name, merges, bytes) in workers {
            look.workers[name] = .init(
                isHere: !away.contains(name), merges: merges, mergedBytes: bytes)
        }
        return look
    }

    private func copy(_ shard: UInt32, _ worker: String) -> ClusterLook.Place {
        .init(index: "items", shard: shard, worker: worker)
    }

    /// Asks and is answered at once.
    private func take(
        _ course: inout ClusterCourse, _ look: ClusterLook, at seconds: Double
    ) -> [String] {
        course.ask(at: seconds)
        return course.take(look, asked: seconds, at: seconds).map(\.text)
    }

    @Test("The first look tells nothing, and what stays the same neither")
    func quiet() {
        var course = ClusterCourse()
        let seen = look([("w1", 5, 1 << 30)])
        #expect(take(&course, seen, at: 0).isEmpty)
        #expect(take(&course, seen, at: 0.5).isEmpty && course.finish(at: 0.9).isEmpty)
    }

    @Test("Merges are told with what went into them: large ones at once, small ones together")
    func merges() {
        var course = ClusterCourse()
        _ = take(&course, look([("w1", 5, 1 << 20), ("w2", 9, 9)]), at: 0)
        #expect(
            take(&course, look([("w1", 6, 11 << 20), ("w2", 9, 9)]), at: 1) == ["w1 merged 10 MiB"])
        // 3 MiB a second: told with the third of them.
        var told: [[String]] = []
        for second in 1...4 as ClosedRange<UInt64> {
            let seen = look([("w1", 6 + 2 * second, (11 + 3 * second) << 20), ("w2", 9, 9)])
            told.append(take(&course, seen, at: Double(1 + second)))
        }
        #expect(told == [[], [], ["w1 merged 9 MiB in 6 merges since 2 s"], []])
        #expect(course.finish(at: 7).map(\.text) == ["w1 merged 3 MiB in 2 merges since 5 s"])
        #expect(course.finish(at: 8).isEmpty)
    }

    @Test("A worker whose counters fall began anew")
    func restart() {
        var course = ClusterCourse()
        _ = take(&course, look([("w1", 9, 9 << 20)]), at: 0)
        #expect(take(&course, look([("w1", 2, 1 << 19)]), at: 1) == ["w1 began anew"])
        #expect(course.finish(at: 1).map(\.text) == ["w1 merged 0.5 MiB in 2 merges"])
    }

    @Test("Workers that go, come back and come first are told")
    func workers() {
        var course = ClusterCourse()
        _ = take(&course, look([("w1", 0, 0), ("w2", 0, 0)]), at: 1)
        let away = look([("w1", 0, 0), ("w2", 0, 0)], away: ["w2"])
        #expect(take(&course, away, at: 2) == ["w2 is gone"])
        let events = take(&course, look([("w1", 0, 0), ("w2", 0, 0), ("w3", 0, 0)]), at: 3)
        #expect(events == ["w2 is back", "w3 registered"])
        #expect(take(&course, look([("w1", 0, 0), ("w3", 0, 0)]), at: 4) == ["w2 is gone"])
    }

    @Test("Replicas that leave, are copied and join are told together, with the reason")
    func copies() {
        var course = ClusterCourse()
        var seen = look([("w1", 0, 0)])
        for shard in 0..<3 as Range<UInt32> {
            seen.copies[copy(shard, "w2")] = .init(isInSync: true, isCopying: false, reason: "")
        }
        _ = take(&course, seen, at: 1)
        for shard in 0..<2 as Range<UInt32> {
            seen.copies[copy(shard, "w2")] = .init(
                isInSync: false, isCopying: false, reason: "away")
        }
        #expect(take(&course, seen, at: 2) == ["2 replicas on w2 left (away)"])
        seen.copies[copy(0, "w2")]?.isCopying = true
        #expect(take(&course, seen, at: 3) == ["1 replica on w2 is being copied"])
        seen.copies[copy(1, "w2")]?.isCopying = true
        seen.copies[copy(0, "w2")] = .init(isInSync: true, isCopying: false, reason: "")
        #expect(
            take(&course, seen, at: 4) == [
                "1 replica on w2 is being copied", "1 replica on w2 joined",
            ])
        seen.copies[copy(2, "w2")] = nil
        #expect(take(&course, seen, at: 5) == ["1 replica on w2 left (moved away)"])
    }

    @Test(
        "A broker that is silent for a second is told, with the time of the first lost question",
        arguments: [
            (back: 4.1, times: [2.5, 4.1]), (back: 3.05, times: [2.5, 3.05]),
            (back: 2.95, times: []),
        ])
    func silence(back: Double, times: [Double]) {
        var course = ClusterCourse()
        let seen = look([("w1", 0, 0)])
        for time in [0.5, 1, 1.5, 2] { _ = take(&course, seen, at: time) }
        // It stands still just after that, and answers everything when it goes on.
        let asked = stride(from: 2.5, to: back, by: ClusterCourse.period).map(\.self)
        for time in asked { course.ask(at: time) }
        let told = asked.reversed().flatMap { course.take(seen, asked: $0, at: back) }
        let texts = ["the broker does not answer", "the broker answers again"]
        #expect(told.map(\.seconds) == times && told.map(\.text)[...] == texts.prefix(times.count))
        #expect(take(&course, seen, at: 4.5).isEmpty && course.finish(at: 4.9).isEmpty)
    }

    @Test("What a broker that died never answers is told all the same, also at the end")
    func death() {
        var course = ClusterCourse()
        let seen = look([("w1", 0, 0)])
        _ = take(&course, seen, at: 0)
        for number in 1...400 as ClosedRange<Int> { course.ask(at: 0.5 * Double(number)) }
        let end = course.finish(at: 200.1)
        #expect(end.map { "\($0.seconds) \($0.text)" } == ["0.5 the broker does not answer"])
        course.ask(at: 200.5)
        let back = course.take(seen, asked: 200.5, at: 200.6)
        #expect(back.map(\.seconds) == [0.5, 200.6], "however many are lost")
    }

    @Test("A load that stood still itself says nothing of the broker")
    func ownStall() {
        var course = ClusterCourse()
        let seen = look([("w1", 0, 0)])
        _ = take(&course, seen, at: 1)
        course.ask(at: 9)
        #expect(course.take(seen, asked: 9, at: 9.1).isEmpty)
        course.ask(at: 9.5)
        #expect(course.finish(at: 9.6).isEmpty)
    }

    @Test("Of very many events the last says that there were more")
    func many() {
        var timeline = Timeline(seconds: 10)
        for number in 0..<Timeline.observedMost + 50 {
            timeline.observe(.init(seconds: Double(number), text: "merged"))
        }
        #expect(timeline.observed.count == Timeline.observedMost)
        #expect(timeline.observed.last?.text == "what happened later is not told")
        #expect(timeline.observed.dropLast().allSatisfy { $0.text == "merged" })
    }
}
