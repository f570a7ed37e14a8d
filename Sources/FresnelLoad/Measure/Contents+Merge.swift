// What several processes of one load have collected, as one.

extension Recorder.Contents {
    /// Nothing yet, of these classes.
    package init(classes: [LoadClass], seconds: Double) {
        self.init(
            classes: classes.map { ClassTally(name: $0.name) },
            timeline: Timeline(seconds: seconds))
    }

    /// Takes what another process of the same load has collected in the same measurement.
    package mutating func add(_ other: Recorder.Contents) {
        for (place, tally) in other.classes.enumerated() where place < classes.count {
            classes[place].add(tally)
        }
        timeline.add(other.timeline)
        health.add(other.health)
        answers.add(other.answers)
        for sample in other.services.samples { services.take(sample) }
        matched += other.matched
        waiting += other.waiting
        cutOff += other.cutOff
        lastGoodNanoseconds = max(lastGoodNanoseconds, other.lastGoodNanoseconds)
        for (place, tally) in other.shards { shards[place, default: ShardTally()].add(tally) }
    }

    /// Takes what the shards told of one request.
    mutating func takeShards(of record: RequestRecord) {
        guard record.outcome != .superseded else { return }
        for report in record.shards {
            let place = ShardPlace(report)
            guard shards.count < ShardTally.placesMost || shards[place] != nil else { continue }
            shards[place, default: ShardTally()].take(report)
        }
    }
}
