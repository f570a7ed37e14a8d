/// One entry of an imported source.
public enum ImportRecord: Hashable, Sendable {
    /// A whole document; `line` is where it begins, from 1.
    case document(Document, line: Int)
    /// A change to a document that exists.
    case patch(DocumentPatch, line: Int)
    /// An entry that cannot be used; the others go on.
    case refused(ImportRefusal)
}

/// Why an entry of an imported source cannot be used, and where.
public struct ImportRefusal: Error, Hashable, Sendable {
    /// The line, from 1.
    public let line: Int
    /// The character in the line, from 1.
    public let column: Int
    /// What is wrong and what to do; lowercase, no full stop.
    public let reason: String

    /// Makes a refusal.
    public init(line: Int, column: Int = 1, reason: String) {
        self.line = line
        self.column = column
        self.reason = reason
    }
}

extension ImportRefusal: CustomStringConvertible {
    /// The place and the reason, as compilers write them.
    public var description: String { "\(line):\(column): \(reason)" }
}
