/// Which attributes of a document are wanted, resolved once for many documents.
package struct AttributeSelection: Hashable, Sendable {
    private let isAll: Bool
    /// By number, for known attributes.
    private var known: Set<Int> = []
    /// By name, for all.
    private var names: Set<[UInt8]> = []

    /// Every attribute.
    package static let all = AttributeSelection(isAll: true)

    /// No attribute.
    package static let none = AttributeSelection(isAll: false)

    private init(isAll: Bool) { self.isAll = isAll }

    /// The named attributes; names that a document does not have are no error.
    package init(_ wanted: some Sequence<String>) {
        isAll = false
        for name in wanted {
            names.insert(Array(name.utf8))
            if let number = AttributeNumber.number(of: name) { known.insert(number) }
        }
    }

    /// Whether no attribute is wanted.
    package var isEmpty: Bool { !isAll && names.isEmpty }

    func contains(_ entry: AttributeEntry, in bytes: [UInt8]) -> Bool {
        if isAll { return true }
        guard entry.number == 0 else { return known.contains(entry.number) }
        return !names.isEmpty && names.contains(Array(bytes[entry.name]))
    }
}
