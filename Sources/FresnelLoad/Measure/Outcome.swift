package import FresnelModel

/// How a request ended.
package enum Outcome: Hashable, Sendable {
    /// Every shard was searched whole, or everything was written.
    case complete
    /// The answer came, and something is missing.
    case incomplete(Completion.Status)
    /// Refused or failed.
    case failed(SearchError.Code)
    /// Whole, and not what the same question gave before, or not what the matcher says.
    case wrong
    /// A newer text of the same typing took its place; neither good nor bad.
    case superseded
    /// Not sent: too many were waiting already.
    case unsent

    /// Whether the objective counts it as gone wrong.
    package var isFailure: Bool {
        switch self {
        case .complete, .superseded: false
        case .incomplete, .failed, .wrong, .unsent: true
        }
    }

    /// What a person reads, and a key in the report.
    package var title: String {
        switch self {
        case .complete: "complete"
        case .incomplete(let status): "incomplete: \(status.rawValue)"
        case .failed(let code): "failed: \(code)"
        case .wrong: "wrong"
        case .superseded: "superseded"
        case .unsent: "unsent"
        }
    }
}
