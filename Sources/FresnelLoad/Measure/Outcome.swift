import FresnelClient
package import FresnelModel

/// How a request ended.
package enum Outcome: Hashable, Sendable {
    /// Every shard was searched whole, or everything was written.
    case complete
    /// The answer came, and something is missing.
    case incomplete(Completion.Status)
    /// Refused or failed.
    case failed(SearchError.Code)
    /// Whole, and not what the same question gave before, what the matcher says, or what its own
    /// digest names.
    case wrong
    /// A newer text of the same typing took its place; neither good nor bad.
    case superseded
    /// Not sent: too many were waiting already.
    case unsent

    /// What an error makes of a request: hits that are not those of their completion are wrong.
    init(of error: SearchError) {
        self = error.orderMismatch == nil ? .failed(error.code) : .wrong
    }

    /// Whether the objective counts it as gone wrong.
    package var isFailure: Bool {
        switch self {
        case .complete, .superseded: false
        case .incomplete, .failed, .wrong, .unsent: true
        }
    }

    /// A word for it among the processes of a load.
    private var key: String {
        switch self {
        case .complete, .wrong, .superseded, .unsent: title
        case .incomplete(let status): "incomplete \(status.rawValue)"
        case .failed(let code): String(code.rawValue)
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

extension Outcome: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let key = try container.decode(String.self)
        let plain = [Outcome.complete, .wrong, .superseded, .unsent].first { $0.key == key }
        // Numbers are those of errors, all other words those of completions.
        if let plain {
            self = plain
        } else if let code = Int32(key) {
            self = .failed(SearchError.Code(rawValue: code))
        } else if let status = key.split(separator: " ").last.flatMap({ word in
            Completion.Status(rawValue: String(word))
        }) {
            self = .incomplete(status)
        } else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\(key) is no outcome")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(key)
    }
}
