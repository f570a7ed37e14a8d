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
        #expect(course.take(nil).isEmpty)
        #expect(course.take(seen).isEmpty && course.take(seen).isEmpty)
    }

    @Test("Merges are told for each worker with what went into them, also after a restart")
    func merges() {
        var course = ClusterCourse()
        _ = course.take(look([("w1", 5, 1 << 20), ("w2", 9, 9)]))
        let events = course.take(look([("w1", 6, 3 << 20), ("w2", 9, 9)]))
        #expect(events == ["w1 merged 2 MiB"])
        let restarted = course.take(look([("w1", 8, 4 << 20), ("w2", 2, 1 << 19)]))
        #expect(
            restarted == [
                "w2 began anew", "w1 merged 1 MiB in 2 merges", "w2 merged 0.5 MiB in 2 merges",
            ])
    }

    @Test("Workers that go, come back and come first are told")
    func workers() {
        var course = ClusterCourse()
        _ = course.take(look([("w1", 0, 0), ("w2", 0, 0)]))
        #expect(course.take(look([("w1", 0, 0), ("w2", 0, 0)], away: ["w2"])) == ["w2 is gone"])
        let events = course.take(look([("w1", 0, 0), ("w2", 0, 0), ("w3", 0, 0)]))
        #expect(events == ["w2 is back", "w3 registered"])
        #expect(course.take(look([("w1", 0, 0), ("w3", 0, 0)])) == ["w2 is gone"])
    }

    @Test("Replicas that leave, are copied and join are told together, with the reason")
    func copies() {
        var course = ClusterCourse()
        var seen = look([("w1", 0, 0)])
        for shard in 0..<3 as Range<UInt32> {
            seen.copies[copy(shard, "w2")] = .init(isInSync: true, isCopying: false, reason: "")
        }
        _ = course.take(seen)
        for shard in 0..<2 as Range<UInt32> {
            seen.copies[copy(shard, "w2")] = .init(
                isInSync: false, isCopying: false, reason: "away")
        }
        #expect(course.take(seen) == ["2 replicas on w2 left (away)"])
        seen.copies[copy(0, "w2")]?.isCopying = true
        #expect(course.take(seen) == ["1 replica on w2 is being copied"])
        seen.copies[copy(1, "w2")]?.isCopying = true
        seen.copies[copy(0, "w2")] = .init(isInSync: true, isCopying: false, reason: "")
        #expect(
            course.take(seen) == [
                "1 replica on w2 is being copied", "1 replica on w2 joined",
            ])
        seen.copies[copy(2, "w2")] = nil
        #expect(course.take(seen) == ["1 replica on w2 left (moved away)"])
    }

    @Test("A broker that does not answer is told once, and that it answers again")
    func silence() {
        var course = ClusterCourse()
        let seen = look([("w1", 0, 0)])
        _ = course.take(seen)
        #expect(course.take(nil) == ["the broker does not answer"] && course.take(nil).isEmpty)
        #expect(course.take(seen) == ["the broker answers again"])
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
