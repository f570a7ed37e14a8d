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
        guard !batch.isEmpty else { return }
        Streams.sayJSON(batch.map(\.jsonText).joined(separator: "\n"))
    }

    func finish(_ completion: Completion) {
        Streams.sayJSON(completion.jsonText)
    }

    func take(_ change: SearchChange) {
        Streams.sayJSON(change.jsonText)
    }
}
