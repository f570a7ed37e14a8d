import FresnelModel

/// What single workers took for whole answers, and what came on top: the material of a simulated
/// fan-out.
///
/// Bounded: when it is full, every second sample is forgotten and from then on only every second
/// one is taken, so that what is left is spread over the whole run.
package struct ServiceSamples: Codable, Sendable {
    /// One whole answer, in microseconds.
    package struct Sample: Hashable, Codable, Sendable {
        /// The class of the workload.
        package let place: Int
        /// Finding, scoring and reading, by each worker that took part.
        package let services: [UInt32]
        /// From the sending to the completion, less the slowest worker's share.
        package let around: UInt32

        package init(place: Int, services: [UInt32], around: UInt32) {
            self.place = place
            self.services = services
            self.around = around
        }
    }

    package private(set) var samples: [Sample] = []
    private var stride = 1
    private var seen = 0

    /// No more samples are kept.
    static let samplesMost = 20_000

    package init() {}

    package mutating func take(_ sample: Sample) {
        defer { seen += 1 }
        guard seen % stride == 0 else { return }
        if samples.count == Self.samplesMost {
            samples = samples.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
            stride *= 2
            guard seen % stride == 0 else { return }
        }
        samples.append(sample)
    }
}

extension ServiceSamples.Sample {
    /// What a completion tells of its workers; nil where it does not tell of all.
    ///
    /// - Parameter elapsed: from the sending to the completion, in nanoseconds.
    init?(_ completion: Completion, place: Int, elapsed: Int64) {
        var services: [WorkerID: UInt64] = [:]
        for shard in completion.shards {
            guard let worker = shard.worker, let match = shard.timings.match else { return nil }
            let others = (shard.timings.score ?? 0) + (shard.timings.fetch ?? 0)
            services[worker, default: 0] += match + others
        }
        guard let slowest = services.values.max() else { return nil }
        let whole = UInt64(max(elapsed, 0)) / 1000
        self.init(
            place: place, services: services.values.map { UInt32(clamping: $0) },
            around: UInt32(clamping: whole - min(whole, slowest)))
    }
}
