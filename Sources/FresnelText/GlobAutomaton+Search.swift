extension GlobAutomaton {
    /// The least position at which a match ends that begins at `cursor` or later.
    func earliestEnd(in folded: FoldedText, from cursor: Int) -> Int? {
        var state = [UInt64](repeating: 0, count: width)
        var isAlive = false
        let count = folded.count
        for position in cursor...count {
            let traits = folded.traits(at: position)
            if canStart(at: position, traits, in: folded) {
                state[0] |= 1
                isAlive = true
            }
            guard isAlive else {
                if !isWordBased, !isFreeAtStart { return nil }
                continue
            }
            if isAccepting(state), canEnd(at: position, traits, in: folded) { return position }
            if position == count { break }
            let move = Move(folded, at: position, isWordBased: isWordBased)
            isAlive = advance(&state, move)
        }
        return nil
    }

    /// The least position, not below `cursor`, at which a match begins that ends at `end`.
    func leftmostStart(in folded: FoldedText, from cursor: Int, endingAt end: Int) -> Int {
        var state = [UInt64](repeating: 0, count: width)
        state[last / 64] |= 1 << UInt64(last % 64)
        var start = end
        var position = end
        while position > cursor {
            position -= 1
            let move = Move(folded, at: position, isWordBased: isWordBased)
            guard retreat(&state, move) else { break }
            if state[0] & 1 != 0, canStart(at: position, folded.traits[position], in: folded) {
                start = position
            }
        }
        return start
    }

    /// The greatest position at which a match ends that begins at `start`.
    func longestEnd(in folded: FoldedText, from start: Int) -> Int {
        var state = [UInt64](repeating: 0, count: width)
        state[0] = 1
        var end = start
        for position in start..<folded.count {
            let move = Move(folded, at: position, isWordBased: isWordBased)
            guard advance(&state, move) else { break }
            let traits = folded.traits(at: position + 1)
            if isAccepting(state), canEnd(at: position + 1, traits, in: folded) {
                end = position + 1
            }
        }
        return end
    }
}
