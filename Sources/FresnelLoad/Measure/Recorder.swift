import FresnelModel
import Synchronization

/// Collects what all requests of a run came to; many tasks write into it.
package final class Recorder: Sendable {
    /// What was collected.
    package struct Contents: Codable, Sendable {
        package var classes: [ClassTally]
        package var timeline: Timeline
        package var health = GeneratorHealth()
        package var answers = AnswerBook()
        /// What workers took for whole answers.
        package var services = ServiceSamples()
        /// Answers whose hits the reference matcher looked at.
        package var matched = 0
        /// Requests under way.
        package var waiting = 0
        /// Requests that an interrupt cut off; they count for nothing.
        package var cutOff = 0
        /// When the last whole and right answer came, in nanoseconds after the beginning.
        package var lastGoodNanoseconds: Int64 = 0
        /// What each shard told of its part.
        package var shards: [ShardPlace: ShardTally] = [:]
        /// What the cluster's processes used.
        package var memory = MemoryCourse()
    }

    private let state: Mutex<Contents>

    /// For a run of about `seconds` over these classes.
    package init(classes: [LoadClass], seconds: Double) {
        state = Mutex(
            Contents(
                classes: classes.map { ClassTally(name: $0.name) },
                timeline: Timeline(seconds: seconds)))
    }

    /// How it goes.
    package var progress: LoadProgress { state.withLock { LoadProgress($0) } }

    /// What has been collected so far.
    package var contents: Contents { state.withLock { $0 } }

    /// Counts a request as under way, unless there are `most` already.
    func begin(most: Int) -> Bool {
        state.withLock { contents in
            guard contents.waiting < most else { return false }
            contents.waiting += 1
            return true
        }
    }

    /// Takes a request that has ended; `wasBegun` is false of those that were not sent.
    func end(_ record: RequestRecord, wasBegun: Bool = true) {
        state.withLock { contents in
            if wasBegun { contents.waiting -= 1 }
            contents.classes[record.place].take(record)
            contents.timeline.take(record)
            contents.health.take(record)
            if record.outcome == .complete {
                contents.lastGoodNanoseconds = max(contents.lastGoodNanoseconds, record.ended)
            }
            if let service = record.service { contents.services.take(service) }
            contents.takeShards(of: record)
        }
    }

    /// Takes a request whose end was the interrupt of the load, and no answer.
    func cutOff(_ record: RequestRecord) {
        state.withLock { contents in
            contents.waiting -= 1
            contents.cutOff += 1
            contents.timeline.cutOff(record)
        }
    }

    /// Whether a whole answer is the one that the same question gave before.
    func isKnown(_ query: String, place: Int, _ completion: Completion) -> Bool {
        state.withLock { $0.answers.take(query, place: place, completion) }
    }

    /// Takes what the reference matcher says of one answer; nil where it agrees.
    func takeMatch(_ complaint: String?) {
        state.withLock { contents in
            contents.matched += 1
            if let complaint { contents.answers.complain(complaint) }
        }
    }

    /// Takes what is wrong with an answer by another measure.
    func complain(_ difference: String) {
        state.withLock { $0.answers.complain(difference) }
    }

    func close(processorNanoseconds: Int64, wallNanoseconds: Int64) {
        state.withLock { contents in
            contents.health.processorNanoseconds = processorNanoseconds
            contents.health.wallNanoseconds = wallNanoseconds
        }
    }
}
