/// What became of the operations of one call.
public struct WriteReport: Sendable {
    /// Operations that were carried out.
    public var applied = 0
    /// Documents that deletions removed.
    public var deleted = 0
    /// Operations that were not, in order of position; all others were applied.
    public var refusals: [ItemRefusal] = []

    /// Makes an empty report.
    public init() {}
}

/// Why one operation was not carried out; the others were.
public struct ItemRefusal: Error, Sendable {
    /// The position in the call, from 0.
    public let position: Int
    /// The document; nil for a deletion that names none.
    public let uniqueIdentifier: String?
    /// What is wrong.
    public let error: SearchError
}

extension ItemRefusal: CustomStringConvertible {
    /// Position, identifier and reason.
    public var description: String {
        let name = uniqueIdentifier.map { " \"\($0)\"" } ?? ""
        return "item \(position)\(name): \(error)"
    }
}
