import FresnelKernels
import FresnelModel

/// A document made by a part.
struct PartAddition {
    var document: Document
    /// Seconds since 2001; infinity is never.
    var expiration: Double
}

/// The documents that a part makes, in the order in which they came first.
///
/// They are known by the bytes of their identifiers: two spellings of one text are two identifiers.
struct PartAdditions {
    private var numbers = TextInterner()
    /// One for every identifier that ever had one; nil where it was removed.
    private var entries: [PartAddition?] = []
    /// The numbers of identifiers in the order of their documents.
    private var order: [UInt32] = []

    /// What the part makes under an identifier.
    subscript(identifier: Span<UInt8>) -> PartAddition? {
        numbers.known(identifier).flatMap { entries[Int($0)] }
    }

    /// What the part makes under an identifier.
    subscript(identifier: [UInt8]) -> PartAddition? { self[identifier.span] }

    /// The documents in order.
    var inOrder: some Sequence<PartAddition> { order.lazy.compactMap { entries[Int($0)] } }

    /// Puts a document in the place of that of its identifier, or behind all others.
    mutating func set(_ addition: PartAddition) {
        let identifier = addition.document.uniqueIdentifier.utf8
        let number = numbers.number(of: identifier.span)
        let isNew = Int(number) == entries.count
        if isNew { entries.append(nil) }
        if entries[Int(number)] == nil { order.append(number) }
        entries[Int(number)] = addition
    }

    /// Removes a document; false when there is none of that identifier.
    mutating func remove(_ identifier: [UInt8]) -> Bool {
        guard let number = numbers.known(identifier.span), entries[Int(number)] != nil else {
            return false
        }
        entries[Int(number)] = nil
        order.removeAll { $0 == number }
        return true
    }
}
