import FresnelSession

/// What callers post to the connection's thread.
enum ClientMail: Sendable {
    case request(RequestTicket)
    /// Cumulative totals since the query began.
    case grant(RequestID, items: UInt64, bytes: UInt64)
    case cancel(RequestID)
}
