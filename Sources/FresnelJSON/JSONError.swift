/// Why a text is not the JSON that was expected.
package enum JSONError: Error, Hashable, Sendable {
    /// The text breaks the grammar, repeats a key or is not UTF-8.
    case malformed(reason: String, at: Position)
    /// Arrays and objects are nested too deeply.
    case tooDeep(limit: Int, at: Position)
    /// An object has two keys that are the same text in two Unicode spellings.
    case equivalentKeys(String)

    /// A place in a text, at the end of the piece that is wrong.
    package struct Position: Hashable, Sendable {
        /// From 1.
        package let line: Int
        /// Characters from the start of the line, from 1.
        package let column: Int
        /// Bytes from the start of the text, from 0.
        package let offset: Int
    }

    /// Where the trouble is, when it is in one place.
    package var position: Position? {
        switch self {
        case .malformed(_, let position), .tooDeep(_, let position): position
        case .equivalentKeys: nil
        }
    }
}

extension JSONError: CustomStringConvertible {
    /// What is wrong and where.
    package var description: String {
        switch self {
        case .malformed(let reason, let position): "\(reason) at \(position)"
        case .tooDeep(let limit, let position):
            "arrays and objects are nested more than \(limit) deep at \(position)"
        case .equivalentKeys(let key):
            "an object has the key \"\(key)\" twice, in two Unicode spellings; keep one"
        }
    }
}

extension JSONError.Position: CustomStringConvertible {
    /// The place in words.
    package var description: String { "line \(line), column \(column) (byte \(offset))" }
}
