// The chain of a glob's steps as a nondeterministic automaton, run with one bit for each position
// of the chain (Baeza-Yates & Gonnet 1992, "A new approach to text searching"; self-loops for runs
// as in Navarro & Raffinot 2002, "Flexible pattern matching in strings", §4.3). A byte of the
// value moves all bits at once: along their steps (shift and mask) and round their loops (mask).
// Time is (bytes of the value) × (steps / 64), for every input.
//
// Three places decide whether a bit may move there, besides the byte: a bit leaves a `?` or a run
// of separators only at the start of a cluster, leaves or enters a star only at the start of a
// letter, and enters a star that stands beside a `?` only at the start of a cluster.

/// A compiled glob; positions are 0...m for m steps.
struct GlobAutomaton: Sendable {
    /// Words of 64 bits in a set of positions.
    let width: Int
    /// The position behind the last step.
    let last: Int
    let isWordBased: Bool
    let isFreeAtStart: Bool
    let isFreeAtEnd: Bool
    /// Whether the last step is `?`.
    private let endsInAny: Bool
    /// For each byte the positions it leads to; 256 sets, one behind another.
    private var byteTargets: [UInt64]
    private var anyTargets: [UInt64]
    private var separatorTargets: [UInt64]
    private var starLoops: [UInt64]
    /// The stars that are entered only at the start of a cluster.
    private var wholeStars: [UInt64]
    /// Behind a `?`: the other bytes of its cluster.
    private var clusterLoops: [UInt64]
    private var separatorLoops: [UInt64]
    private var pauses: [UInt64]

    init(_ program: GlobProgram, isWordBased: Bool) {
        last = program.steps.count
        width = last / 64 + 1
        self.isWordBased = isWordBased
        isFreeAtStart = program.isFreeAtStart
        isFreeAtEnd = program.isFreeAtEnd
        endsInAny = program.steps.last == .anyCharacter
        let none = [UInt64](repeating: 0, count: width)
        byteTargets = [UInt64](repeating: 0, count: 256 * width)
        (anyTargets, separatorTargets, starLoops) = (none, none, none)
        (wholeStars, clusterLoops, separatorLoops, pauses) = (none, none, none, none)
        for star in program.stars { Self.insert(star, into: &starLoops) }
        for star in program.wholeStars { Self.insert(star, into: &wholeStars) }
        for (position, step) in program.steps.enumerated() { add(step, at: position) }
    }

    private static func insert(_ position: Int, into set: inout [UInt64]) {
        set[position / 64] |= 1 << UInt64(position % 64)
    }

    private mutating func add(_ step: GlobProgram.Step, at position: Int) {
        switch step {
        case .byte(let byte):
            let target = position + 1
            byteTargets[Int(byte) * width + target / 64] |= 1 << UInt64(target % 64)
        case .anyCharacter:
            Self.insert(position + 1, into: &anyTargets)
            Self.insert(position + 1, into: &clusterLoops)
        case .separators:
            Self.insert(position + 1, into: &separatorTargets)
            Self.insert(position + 1, into: &separatorLoops)
        case .pause:
            Self.insert(position, into: &pauses)
        }
    }

    /// Whether a match may begin at a position of the value.
    ///
    /// In a word-based pattern a leading star that was taken off begins at the boundary before.
    @inline(__always)
    func canStart(at position: Int, _ traits: CharacterTraits, in folded: FoldedText) -> Bool {
        guard isWordBased else {
            return isFreeAtStart ? traits.contains(.letterStart) : position == 0
        }
        if traits.contains(.boundary) { return true }
        return isFreeAtStart && traits.contains(.letterStart)
            && folded.traits[position - 1].isTakenInWord
    }

    /// Whether a match may end at a position of the value.
    ///
    /// In a word-based pattern a trailing star that was taken off ends at the next word boundary:
    /// between two boundaries stand only characters that it takes, or a single one.
    @inline(__always)
    func canEnd(at position: Int, _ traits: CharacterTraits, in folded: FoldedText) -> Bool {
        if isWordBased, traits.contains(.boundary) { return true }
        guard isFreeAtEnd else { return !isWordBased && position == folded.count }
        return traits.contains(endsInAny ? .clusterStart : .letterStart)
            && (!isWordBased || traits.isTakenInWord)
    }

    /// Whether a set of positions holds the last one.
    @inline(__always)
    func isAccepting(_ state: [UInt64]) -> Bool {
        state[last / 64] >> UInt64(last % 64) & 1 != 0
    }

    /// What one byte of the value, between two positions, lets the bits do.
    struct Move {
        /// The folded byte.
        let byte: Int
        /// All ones if a bit may leave a `?` or separators before the byte, else 0.
        let clusterLeave: UInt64
        /// All ones if a bit may leave a star before the byte.
        let letterLeave: UInt64
        /// All ones if a bit may enter a star behind the byte.
        let letterEnter: UInt64
        /// All ones if a bit may pass a pause behind the byte.
        let clusterEnter: UInt64
        /// All ones if the byte begins a character that `?` takes.
        let any: UInt64
        /// All ones if the byte begins a separator.
        let separator: UInt64
        /// All ones if a star takes the byte.
        let star: UInt64
        /// All ones if the byte goes on with the character of a `?`.
        let continuation: UInt64
        /// All ones if a run of separators takes the byte.
        let separatorRun: UInt64

        @inline(__always)
        init(_ folded: FoldedText, at position: Int, isWordBased: Bool) {
            let before = folded.traits[position]
            let behind = folded.traits(at: position + 1)
            let isWord = before.contains(.word)
            let isTaken = !isWordBased || before.isTakenInWord
            let isStart = before.contains(.clusterStart)
            byte = Int(folded.utf8[position])
            clusterLeave = Self.mask(isStart)
            letterLeave = Self.mask(before.contains(.letterStart))
            letterEnter = Self.mask(behind.contains(.letterStart))
            clusterEnter = Self.mask(behind.contains(.clusterStart))
            any = Self.mask(isStart && isTaken)
            separator = Self.mask(isStart && !isWord)
            star = Self.mask(isTaken)
            continuation = Self.mask(!isStart)
            separatorRun = Self.mask(!isWord)
        }

        @inline(__always)
        private static func mask(_ condition: Bool) -> UInt64 { condition ? ~0 : 0 }
    }

    /// The positions in word `word` of the set that may be left under a move.
    @inline(__always)
    private func leavable(_ word: Int, _ move: Move) -> UInt64 {
        let cluster = clusterLoops[word] | separatorLoops[word]
        return (~cluster | move.clusterLeave) & (~starLoops[word] | move.letterLeave)
    }

    /// The positions that may be entered by a step under a move.
    @inline(__always)
    private func enterable(_ word: Int, _ move: Move) -> UInt64 {
        (byteTargets[move.byte * width + word] | anyTargets[word] & move.any
            | separatorTargets[word] & move.separator) & (~starLoops[word] | move.letterEnter)
            & (~wholeStars[word] | move.clusterEnter)
    }

    /// The positions that keep their bit under a move.
    @inline(__always)
    private func keepable(_ word: Int, _ move: Move) -> UInt64 {
        starLoops[word] & move.star | clusterLoops[word] & move.continuation
            | separatorLoops[word] & move.separatorRun
    }

    /// Moves a set of positions over one byte; returns whether any is left.
    @inline(__always)
    func advance(_ state: inout [UInt64], _ move: Move) -> Bool {
        var carry: UInt64 = 0
        var pauseCarry: UInt64 = 0
        var alive: UInt64 = 0
        for word in 0..<width {
            let old = state[word]
            let leaving = old & leavable(word, move)
            var new = (leaving << 1 | carry) & enterable(word, move)
            new |= old & keepable(word, move)
            carry = leaving >> 63
            let pausing = new & pauses[word] & move.clusterEnter
            new |= pausing << 1 | pauseCarry
            pauseCarry = pausing >> 63
            state[word] = new
            alive |= new
        }
        return alive != 0
    }

    /// Moves a set of positions back over one byte; returns whether any is left.
    @inline(__always)
    func retreat(_ state: inout [UInt64], _ move: Move) -> Bool {
        var carry: UInt64 = 0
        var pauseCarry: UInt64 = 0
        var alive: UInt64 = 0
        for word in (0..<width).reversed() {
            let paused = state[word]
            let old = paused | (paused >> 1 | pauseCarry) & pauses[word] & move.clusterEnter
            pauseCarry = paused << 63
            let entered = old & enterable(word, move)
            let new = (entered >> 1 | carry) & leavable(word, move) | old & keepable(word, move)
            carry = entered << 63
            state[word] = new
            alive |= new
        }
        return alive != 0
    }
}
