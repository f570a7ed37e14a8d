import FresnelKernels
package import FresnelText

/// What the folded keys of texts must look like for a glob to match; all that a sorted table needs
/// to skip most of its entries.
package enum KeyNarrowing: Hashable, Sendable {
    /// The key is these bytes.
    case exact([UInt8])
    /// The key begins with these bytes.
    case prefix([UInt8])
    /// The key contains these bytes.
    case containing([UInt8])
    /// Nothing is known.
    case none

    /// What the key of every text that matches contains; nil when nothing is known.
    var key: [UInt8]? {
        switch self {
        case .exact(let key), .prefix(let key), .containing(let key): key
        case .none: nil
        }
    }

    /// Whether the key of every text that matches begins with `key`.
    var isAtBeginning: Bool {
        switch self {
        case .exact, .prefix: true
        case .containing, .none: false
        }
    }

    /// Whether a text may match, by its key: cheaper to tell than whether it does.
    func admits(_ text: borrowing Span<UInt8>) -> Bool {
        if case .exact(let wanted) = self, text.count != wanted.count,
            ByteSearch.isASCII(text)
        {
            return false
        }
        var key: [UInt8] = []
        key.reserveCapacity(text.count)
        switch self {
        case .exact(let wanted):
            appendFoldedKey(of: text, to: &key)
            return key == wanted
        case .prefix(let wanted):
            appendFoldedKey(of: text, to: &key)
            return key.starts(with: wanted)
        case .containing(let wanted):
            appendFoldedKey(of: text, to: &key)
            return ByteSearch.firstOffset(of: wanted.span, in: key.span) != nil
        case .none: return true
        }
    }

    /// What follows from a glob that must match a whole text.
    ///
    /// Sound because a dictionary key is made scalar by scalar from what any other folding gives:
    /// where the folded text holds a folded literal, the key holds the literal's key.
    package init(_ pieces: [GlobPiece]) {
        guard let first = pieces.first else {
            self = .none
            return
        }
        if case .literal(let text) = first {
            let key = foldedKey(of: text)
            if pieces.count == 1 {
                self = .exact(key)
                return
            }
            if !key.isEmpty {
                self = .prefix(key)
                return
            }
        }
        let longest = pieces.compactMap { piece -> [UInt8]? in
            if case .literal(let text) = piece { foldedKey(of: text) } else { nil }
        }.max { $0.count < $1.count }
        self = longest.flatMap { $0.isEmpty ? nil : .containing($0) } ?? .none
    }

    /// Whether a glob surely matches every text that is its own key and fits this narrowing.
    ///
    /// True where the glob is one literal with at most stars around it (in the places that the
    /// narrowing leaves open) and its own folding of the literal is the literal's key.
    package static func decides(_ pieces: [GlobPiece], folding: Folding) -> Bool {
        let literals = pieces.compactMap { piece -> String? in
            if case .literal(let text) = piece { text } else { nil }
        }
        guard literals.count == 1, let literal = literals.first,
            FoldedText(literal, folding: folding).utf8 == foldedKey(of: literal)
        else { return false }
        return switch pieces.count {
        case 1: true
        case 2: pieces.last == .anyRun
        case 3: pieces.first == .anyRun && pieces.last == .anyRun
        default: false
        }
    }
}
