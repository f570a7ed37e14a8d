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

    @Test("The first look tells nothing, and what stays the same neither")
    func quiet() {
        var course = ClusterCourse()
        let seen = look([("w1", 5, 1 << 30)])
        #expect(course.take(nil, at: 0).isEmpty)
        #expect(course.take(seen, at: 0).isEmpty && course.take(seen, at: 1).isEmpty)
    }

    @Test("Merges are told with what went into them: large ones at once, small ones together")
    func merges() {
        var course = ClusterCourse()
        _ = course.take(look([("w1", 5, 1 << 20), ("w2", 9, 9)]), at: 0)
        #expect(
            course.take(look([("w1", 6, 11 << 20), ("w2", 9, 9)]), at: 1) == ["w1 merged 10 MiB"])
        // 3 MiB a second: told with the third of them.
        var told: [[String]] = []
        for second in 1...4 as ClosedRange<UInt64> {
            let seen = look([("w1", 6 + 2 * second, (11 + 3 * second) << 20), ("w2", 9, 9)])
            told.append(course.take(seen, at: Double(1 + second)))
        }
        #expect(told == [[], [], ["w1 merged 9 MiB in 6 merges since 2 s"], []])
        #expect(course.finish(at: 7) == ["w1 merged 3 MiB in 2 merges since 5 s"])
        #expect(course.finish(at: 8).isEmpty)
    }

    @Test("A worker whose counters fall began anew")
    func restart() {
        var course = ClusterCourse()
        _ = course.take(look([("w1", 9, 9 << 20)]), at: 0)
        #expect(course.take(look([("w1", 2, 1 << 19)]), at: 1) == ["w1 began anew"])
        #expect(course.finish(at: 1) == ["w1 merged 0.5 MiB in 2 merges"])
    }

    @Test("Workers that go, come back and come first are told")
    func workers() {
        var course = ClusterCourse()
        _ = course.take(look([("w1", 0, 0), ("w2", 0, 0)]), at: 1)
        let away = look([("w1", 0, 0), ("w2", 0, 0)], away: ["w2"])
        #expect(course.take(away, at: 1) == ["w2 is gone"])
        let events = course.take(look([("w1", 0, 0), ("w2", 0, 0), ("w3", 0, 0)]), at: 1)
        #expect(events == ["w2 is back", "w3 registered"])
        #expect(course.take(look([("w1", 0, 0), ("w3", 0, 0)]), at: 1) == ["w2 is gone"])
    }

    @Test("Replicas that leave, are copied and join are told together, with the reason")
    func copies() {
        var course = ClusterCourse()
        var seen = look([("w1", 0, 0)])
        for shard in 0..<3 as Range<UInt32> {
            seen.copies[copy(shard, "w2")] = .init(isInSync: true, isCopying: false, reason: "")
        }
        _ = course.take(seen, at: 1)
        for shard in 0..<2 as Range<UInt32> {
            seen.copies[copy(shard, "w2")] = .init(
                isInSync: false, isCopying: false, reason: "away")
        }
        #expect(course.take(seen, at: 1) == ["2 replicas on w2 left (away)"])
        seen.copies[copy(0, "w2")]?.isCopying = true
        #expect(course.take(seen, at: 1) == ["1 replica on w2 is being copied"])
        seen.copies[copy(1, "w2")]?.isCopying = true
        seen.copies[copy(0, "w2")] = .init(isInSync: true, isCopying: false, reason: "")
        #expect(
            course.take(seen, at: 1) == [
                "1 replica on w2 is being copied", "1 replica on w2 joined",
            ])
        seen.copies[copy(2, "w2")] = nil
        #expect(course.take(seen, at: 1) == ["1 replica on w2 left (moved away)"])
    }

    @Test("A broker that does not answer is told once, and that it answers again")
    func silence() {
        var course = ClusterCourse()
        let seen = look([("w1", 0, 0)])
        _ = course.take(seen, at: 1)
        #expect(course.take(nil, at: 1) == ["the broker does not answer"])
        #expect(course.take(nil, at: 2).isEmpty)
        #expect(course.take(seen, at: 1) == ["the broker answers again"])
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
