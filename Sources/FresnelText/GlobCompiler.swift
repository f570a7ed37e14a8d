/// Turns the pieces of a glob into a form that matches quickly.
struct GlobCompiler {
    let folding: Folding
    let isWordBased: Bool
    private var program = GlobProgram()
    /// Wildcards read since the last literal; their order means nothing.
    private var hasStar = false
    private var anyCount = 0

    init(folding: Folding, isWordBased: Bool) {
        self.folding = folding
        self.isWordBased = isWordBased
    }

    mutating func compile(_ pieces: [GlobPiece]) -> GlobPattern.Form {
        var hasWildcard = false
        for piece in merged(pieces) {
            switch piece {
            case .literal(let text):
                append(literal: text)
            case .anyRun:
                hasStar = true
                hasWildcard = true
            case .anyCharacter:
                anyCount += 1
                hasWildcard = true
            }
        }
        return finish(hasWildcard: hasWildcard)
    }

    /// Joins neighbouring literals, which must be folded as one text, and drops empty ones.
    private func merged(_ pieces: [GlobPiece]) -> [GlobPiece] {
        var result: [GlobPiece] = []
        for piece in pieces {
            guard case .literal(let text) = piece else {
                result.append(piece)
                continue
            }
            if case .literal(let former)? = result.last {
                result[result.count - 1] = .literal(former + text)
            } else if !text.isEmpty {
                result.append(piece)
            }
        }
        return result
    }

    private mutating func append(literal: String) {
        let folded = FoldedText(literal, folding: folding)
        for position in 0..<folded.count {
            guard isWordBased, folded.traits[position].contains(.whitespace) else {
                let byte = GlobProgram.Step.byte(folded.utf8[position])
                flushWildcards(before: byte)
                program.steps.append(byte)
                continue
            }
            let isLeading = program.steps.isEmpty && !hasStar && anyCount == 0
            if isLeading { continue }
            flushWildcards(before: .separators)
            if program.steps.last != .separators { program.steps.append(.separators) }
        }
    }

    /// Writes a run of wildcards: the star first, since `?*` and `*?` mean the same.
    ///
    /// A star at an end of the pattern is taken off, save one that stands for a word of its own.
    private mutating func flushWildcards(before next: GlobProgram.Step? = nil) {
        if hasStar {
            if program.steps.isEmpty, next != .separators {
                program.isFreeAtStart = true
            } else {
                if program.steps.last == .separators { program.steps.append(.pause) }
                program.stars.append(program.steps.count)
                if anyCount > 0 { program.wholeStars.append(program.steps.count) }
            }
        }
        for _ in 0..<anyCount { program.steps.append(.anyCharacter) }
        hasStar = false
        anyCount = 0
    }

    private mutating func finish(hasWildcard: Bool) -> GlobPattern.Form {
        if program.steps.isEmpty, anyCount == 0 { return hasWildcard ? .everything : .nothing }
        if hasStar, program.steps.last != .separators {
            program.isFreeAtStart = program.isFreeAtStart || program.steps.isEmpty
            program.isFreeAtEnd = true
            hasStar = false
        }
        let endsInLiteral = !hasStar && anyCount == 0
        flushWildcards()
        if isWordBased, endsInLiteral, program.steps.last == .separators {
            program.steps.removeLast()
            if program.steps.isEmpty { return .everything }
        }
        guard !isWordBased, !hasWildcard else {
            return .automaton(GlobAutomaton(program, isWordBased: isWordBased))
        }
        return .exactly(
            program.steps.compactMap { step in
                if case .byte(let byte) = step { byte } else { nil }
            })
    }
}

/// A glob as a chain of steps over folded bytes.
struct GlobProgram {
    /// One link of the chain, from the position of its number to the next.
    enum Step: Equatable {
        /// This folded byte.
        case byte(UInt8)
        /// One original character.
        case anyCharacter
        /// One or more separators.
        case separators
        /// Nothing: keeps a star from reaching back into the separators before it.
        case pause
    }

    var steps: [Step] = []
    /// The positions, ascending, at which any run may pass.
    var stars: [Int] = []
    /// Those of them that stand in one run with a `?`: entered only at the start of a cluster.
    var wholeStars: [Int] = []
    /// Whether a match may begin anywhere, or anywhere in a word (a leading star, taken off).
    var isFreeAtStart = false
    /// Whether a match may end anywhere, or anywhere in a word (a trailing star, taken off).
    var isFreeAtEnd = false
}
