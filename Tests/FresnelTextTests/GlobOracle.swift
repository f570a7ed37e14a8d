@testable import FresnelText

/// The glob rules as plain recursion that tries everything; exponential, for short inputs only.
struct GlobOracle {
    enum Part: Equatable {
        case bytes([UInt8])
        case separators
        case wildcards(hasStar: Bool, characters: Int)
    }

    let text: FoldedText
    let isWordBased: Bool
    private let parts: [Part]

    init(_ pattern: GlobPattern, _ value: String) {
        text = FoldedText(value, folding: pattern.folding)
        isWordBased = pattern.isWordBased
        parts = Self.parts(of: pattern)
    }

    private static func parts(of pattern: GlobPattern) -> [Part] {
        var parts: [Part] = []
        for piece in pattern.pieces {
            switch (piece, parts.last) {
            case (.anyRun, .wildcards(_, let characters)?):
                parts[parts.count - 1] = .wildcards(hasStar: true, characters: characters)
            case (.anyCharacter, .wildcards(let star, let characters)?):
                parts[parts.count - 1] = .wildcards(hasStar: star, characters: characters + 1)
            case (.anyRun, _):
                parts.append(.wildcards(hasStar: true, characters: 0))
            case (.anyCharacter, _):
                parts.append(.wildcards(hasStar: false, characters: 1))
            case (.literal(let literal), _):
                parts += Self.parts(of: literal, pattern)
            }
        }
        if pattern.isWordBased {
            if parts.first == .separators { parts.removeFirst() }
            if parts.last == .separators { parts.removeLast() }
        }
        return parts
    }

    private static func parts(of literal: String, _ pattern: GlobPattern) -> [Part] {
        let folded = FoldedText(literal, folding: pattern.folding)
        var parts: [Part] = []
        for (byte, traits) in zip(folded.utf8, folded.traits) {
            if pattern.isWordBased, traits.contains(.whitespace) {
                if parts.last != .separators { parts.append(.separators) }
            } else if case .bytes(let bytes)? = parts.last {
                parts[parts.count - 1] = .bytes(bytes + [byte])
            } else {
                parts.append(.bytes([byte]))
            }
        }
        return parts
    }

    var matches: Bool {
        guard !parts.isEmpty else { return false }
        guard isWordBased else { return match(0, 0) }
        return (0...text.count).contains { text.isBoundary($0) && match(0, $0) }
    }

    private func match(_ index: Int, _ position: Int) -> Bool {
        guard index < parts.count else {
            return isWordBased ? text.isBoundary(position) : position == text.count
        }
        switch parts[index] {
        case .bytes(let bytes):
            let end = position + bytes.count
            guard end <= text.count, Array(text.utf8[position..<end]) == bytes else { return false }
            return isWhole(end, before: index + 1) && match(index + 1, end)
        case .separators:
            return separatorEnds(position).contains { match(index + 1, $0) }
        case .wildcards(let hasStar, let characters):
            return wildcardEnds(position, hasStar, characters).contains { match(index + 1, $0) }
        }
    }

    /// Whether a literal may end here, given what follows it.
    private func isWhole(_ position: Int, before index: Int) -> Bool {
        let traits = text.traits(at: position)
        guard index < parts.count, case .wildcards(true, 0) = parts[index] else {
            return traits.contains(.clusterStart)
        }
        return traits.contains(.letterStart)
    }

    private func separatorEnds(_ position: Int) -> [Int] {
        var ends: [Int] = []
        var end = position
        while end < text.count, !text.traits[end].contains(.word) {
            end = next(end)
            ends.append(end)
        }
        return ends
    }

    private func wildcardEnds(_ position: Int, _ hasStar: Bool, _ characters: Int) -> [Int] {
        var end = position
        for _ in 0..<characters {
            guard end < text.count, isTaken(end) else { return [] }
            end = next(end)
        }
        var ends = [end]
        while hasStar, end < text.count, isTaken(end) {
            end += 1
            let needed: CharacterTraits = characters > 0 ? .clusterStart : .letterStart
            if text.traits(at: end).contains(needed) { ends.append(end) }
        }
        return ends
    }

    private func isTaken(_ position: Int) -> Bool {
        let traits = text.traits[position]
        return !isWordBased || (traits.contains(.word) && !traits.contains(.spaceless))
    }

    private func next(_ position: Int) -> Int {
        var end = position + 1
        while !text.isClusterStart(end) { end += 1 }
        return end
    }
}
