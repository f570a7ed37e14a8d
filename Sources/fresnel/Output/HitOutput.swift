import FresnelClient
import FresnelModel

/// Prints a found answer while it arrives, and its completion at the end.
protocol HitOutput {
    mutating func take(_ batch: [Hit])
    mutating func finish(_ completion: Completion)
    /// Prints one change of a followed answer.
    mutating func take(_ change: SearchChange)
    /// What people are told beside the output; nil for nothing.
    func hint(_ completion: Completion) -> String?
}

extension HitOutput {
    /// Programs find everything in the completion.
    func hint(_ completion: Completion) -> String? { nil }
}

/// One JSON object a line, the completion last; every batch is written at once.
struct LineOutput: HitOutput {
    func take(_ batch: [Hit]) {
        Streams.write(batch.map { $0.jsonText + "\n" }.joined())
    }

    func finish(_ completion: Completion) {
        Streams.say(completion.jsonText)
    }

    func take(_ change: SearchChange) {
        Streams.say(change.jsonText)
    }
}
