/// The one error at the public border: a code for programs, a message for people.
public struct SearchError: Error, Sendable {
    /// What kind of failure.
    public var code: Code
    /// What happened, to what, what to do next; lowercase, no full stop.
    public var message: String
    /// Whether the same request can succeed later without a change.
    public var isRetriable: Bool
    /// The error this one was made from.
    public var underlying: (any Error)?
    /// UTF-8 offset in the query string where the trouble is.
    public var offset: Int?
    /// What would be right instead.
    public var hint: String?

    /// Makes an error; it is retriable when its code usually is.
    public init(
        _ code: Code, _ message: String, offset: Int? = nil, underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.offset = offset
        self.underlying = underlying
        isRetriable = code.isUsuallyRetriable
    }

    /// The same error with advice.
    public func hinting(_ hint: String) -> SearchError {
        var error = self
        error.hint = hint
        return error
    }
}

extension SearchError: CustomStringConvertible {
    /// The message with code, position and advice.
    public var description: String {
        let position = offset.map { " at byte \($0)" } ?? ""
        let advice = hint.map { "; \($0)" } ?? ""
        return "\(message)\(position)\(advice) (\(code))"
    }
}
