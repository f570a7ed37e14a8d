import FresnelSystem
import Glibc

/// A *simulation* of more workers than there are: an answer of `n` workers takes as long as the
/// slowest of `n` measured times, drawn anew, and what a broker adds for each of them.
///
/// Every worker is thought to hold as many documents as one of the measured cluster and to have
/// processors of its own. Times of one query are drawn from its own class and else independently of
/// each other, so where a query is slow everywhere for a common reason the simulation is too
/// good. (Dean and Barroso, "The tail at scale", 2013, for why the slowest decides.)
package struct FanOutSimulation: Sendable {
    /// What was simulated of one number of workers, in microseconds.
    package struct Point: Hashable, Sendable {
        package let workers: Int
        package let p50: UInt64
        package let p99: UInt64
    }

    /// Workers of the measured cluster.
    package let measuredWorkers: Int
    /// Answers that were measured.
    package let samples: Int
    /// What one more worker costs the broker for an answer, in microseconds.
    package let mergeMicroseconds: Double
    package let points: [Point]

    /// Workers that are simulated.
    package static let sizes = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]
    /// Answers that are simulated for each.
    static let answers = 20_000
    /// Fewer measured answers than this say too little about a tail.
    package static let samplesLeast = 200

    private struct ClassTimes {
        var services: [UInt32] = []
        var around: [UInt32] = []
    }

    /// Simulates answers from measured ones.
    ///
    /// - Parameters:
    ///   - measured: of a cluster of `workers`.
    ///   - mergeMicroseconds: what one more worker costs the broker for an answer.
    ///   - seed: the same seed gives the same figures.
    /// - Returns: nil with too few measured answers.
    package init?(
        _ measured: ServiceSamples, workers: Int, mergeMicroseconds: Double, seed: UInt64
    ) {
        guard measured.samples.count >= Self.samplesLeast else { return nil }
        measuredWorkers = workers
        samples = measured.samples.count
        self.mergeMicroseconds = mergeMicroseconds
        var classes: [Int: ClassTimes] = [:]
        for sample in measured.samples {
            classes[sample.place, default: ClassTimes()].services += sample.services
            classes[sample.place, default: ClassTimes()].around.append(sample.around)
        }
        let sorted = classes.mapValues { times in
            ClassTimes(services: times.services.sorted(), around: times.around)
        }
        var draws = SeededGenerator(seed: seed)
        points = Self.sizes.map { size in
            let more = Double(size - workers) * mergeMicroseconds
            var times = (0..<Self.answers).map { _ in
                let sample = measured.samples[Self.place(measured.samples.count, &draws)]
                let times = sorted[sample.place] ?? ClassTimes()
                let slowest = times.services[Self.slowest(of: size, times.services.count, &draws)]
                let around = times.around[Self.place(times.around.count, &draws)]
                return max(0, Double(slowest) + Double(around) + more)
            }
            times.sort()
            return Point(
                workers: size, p50: UInt64(times[times.count / 2]),
                p99: UInt64(times[times.count * 99 / 100]))
        }
    }

    private static func place(_ count: Int, _ draws: inout SeededGenerator) -> Int {
        Int(draws.uniform() * Double(count))
    }

    /// The place of the largest of `size` draws among `count` sorted values: the largest of `n`
    /// uniform numbers is distributed as the n-th root of one.
    private static func slowest(
        of size: Int, _ count: Int, _ draws: inout SeededGenerator
    ) -> Int {
        min(Int(pow(draws.uniform(), 1 / Double(size)) * Double(count)), count - 1)
    }
}
