import FresnelSession

/// Who waits for what the cluster says about one request.
protocol NoticeSink: AnyObject, Sendable {
    /// Takes a notice, on the connection's thread; must not wait.
    func receive(_ notice: ClientNotice)
    /// Ends the request without a word of the cluster; does nothing after the end.
    func fail(_ error: SearchError)
}

extension ClientNotice {
    /// Whether nothing follows.
    var isLast: Bool {
        switch self {
        case .accepted, .found, .following, .changes: false
        case .done, .written, .state, .status, .planned, .indexesChanged, .copied, .failed: true
        }
    }
}
