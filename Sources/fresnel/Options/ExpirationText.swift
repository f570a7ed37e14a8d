import FresnelClient
import FresnelModel

/// What `--expiration` says and what people read of it.
enum ExpirationText {
    /// Reads `30d`, `12h` or `never`.
    static func parse(_ text: String) throws(CommandError) -> ExpirationPolicy {
        guard text != "never" else { return .never }
        guard let number = text.first, number.isASCII, number.isNumber else { throw wrong(text) }
        let seconds = try DurationText.parse(text, flag: "--expiration").inSeconds
        guard seconds > 0, let policy = ExpirationPolicy(seconds: seconds) else {
            throw wrong(text)
        }
        return policy
    }

    private static func wrong(_ text: String) -> CommandError {
        .usage("--expiration must be never, or a duration such as 30d or 12h, not \"\(text)\"")
    }

    /// `never`, or the duration: `30 days`.
    static func text(_ policy: ExpirationPolicy) -> String {
        switch policy {
        case .never: "never"
        case .after(let duration): text(duration)
        }
    }

    private static func text(_ duration: Duration) -> String {
        for (unit, seconds) in [("day", 86_400.0), ("hour", 3600), ("minute", 60)] {
            let count = duration.inSeconds / seconds
            guard count >= 1, count == count.rounded() else { continue }
            return ValueText.count(Int(count), unit)
        }
        return DurationText.text(duration)
    }

    /// An instant to the second.
    static func text(_ time: Timestamp) -> String {
        "\(Timestamp(seconds: time.seconds.rounded()) ?? time)"
    }

    /// What happens to the documents of an import; nil when it brought none.
    ///
    /// - Parameter policy: of the index, for documents that name no date.
    static func ending(
        of progress: ImportProgress, _ policy: ExpirationPolicy, at now: Timestamp
    ) -> String? {
        guard progress.acknowledged > 0, progress.hasDated || progress.hasUndated else {
            return nil
        }
        let isOne = progress.acknowledged == 1
        let expires = isOne ? "expires" : "expire"
        guard progress.hasUndated else {
            return isOne ? "it expires on the date it names" : "they expire on the dates they name"
        }
        let subject =
            progress.hasDated ? "those that name no date" : isOne ? "it" : "they"
        guard let date = policy.expiration(ofIndexedAt: now) else {
            return "\(subject) never \(expires)"
        }
        return "\(subject) \(expires) on \(text(date)), \(text(policy)) after indexing"
    }
}
