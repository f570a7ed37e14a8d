/// When documents without an expiration date of their own vanish.
public enum ExpirationPolicy: Hashable, Sendable {
    /// This long after they were indexed.
    case after(Duration)
    /// Never.
    case never

    /// Never: nothing vanishes unless somebody says so.
    public static let standard = ExpirationPolicy.never

    /// Makes a policy from seconds, where 0 means never; nil when negative or not finite.
    public init?(seconds: Double) {
        guard seconds.isFinite, seconds >= 0, seconds <= Self.longestSeconds else { return nil }
        self = seconds == 0 ? .never : .after(.seconds(seconds))
    }

    /// The policy as seconds, where 0 means never.
    public var seconds: Double {
        switch self {
        case .never: 0
        case .after(let duration): duration.inSeconds
        }
    }

    /// How long after they were indexed documents vanish; nil for never.
    public var duration: Duration? {
        switch self {
        case .never: nil
        case .after(let duration): duration
        }
    }

    /// A million years: beyond it seconds lose their fractions.
    private static let longestSeconds = 3.2e13
}

extension Document {
    /// When the document vanishes; nil means never.
    ///
    /// - Parameters:
    ///   - indexed: when its batch was stamped.
    ///   - policy: the rule of the index for documents without a date.
    public func effectiveExpiration(
        indexedAt indexed: Timestamp, default policy: ExpirationPolicy = .standard
    ) -> Timestamp? {
        expirationDate ?? policy.expiration(ofIndexedAt: indexed)
    }
}

extension ExpirationPolicy {
    /// When a document vanishes that names no date; nil means never.
    ///
    /// - Parameter indexed: when its batch was stamped.
    public func expiration(ofIndexedAt indexed: Timestamp) -> Timestamp? {
        switch self {
        case .never: nil
        case .after(let duration): Timestamp(seconds: indexed.seconds + duration.inSeconds)
        }
    }
}

extension Duration {
    /// The duration in seconds, rounded to a double.
    public var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }
}
