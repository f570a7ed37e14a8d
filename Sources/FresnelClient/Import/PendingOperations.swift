/// The operations of an import that must go out again, in the order of their lines.
///
/// Those that were refused for now, and every later one of the same identifier: repeated behind the
/// refused one it has the last word again.
struct PendingOperations {
    /// The operations, each with the name of its source.
    private(set) var entries: [(source: String, entry: SentBatch.Entry)] = []
    /// Why the first of them was refused.
    private(set) var firstFailure: SearchError?
    /// Identifiers are bytes: `String` would take two spellings for one.
    private var identifiers: Set<[UInt8]> = []

    var isEmpty: Bool { entries.isEmpty }

    /// Takes an operation in if it must go out again, and says whether.
    ///
    /// - Parameter failure: why it was refused for now; nil when it was carried out.
    mutating func take(
        _ entry: SentBatch.Entry, of source: String, failure: SearchError?
    ) -> Bool {
        let identifier = Array((entry.operation.uniqueIdentifier ?? "").utf8)
        if let failure {
            if firstFailure == nil { firstFailure = failure }
            identifiers.insert(identifier)
        }
        guard identifiers.contains(identifier) else { return false }
        entries.append((source, entry))
        return true
    }
}
