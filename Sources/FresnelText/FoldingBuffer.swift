/// The scalars of one cluster while they are folded; reused from cluster to cluster.
struct FoldingBuffer {
    /// The scalars as folded so far.
    var folded: [UInt32] = []
    private var former: [UInt32] = []
    private var classes: [UInt8] = []

    mutating func removeAll() {
        folded.removeAll(keepingCapacity: true)
    }

    /// Sorts every run of marks by combining class, equal classes in the order they stand.
    mutating func putInCanonicalOrder() {
        guard folded.count > 1 else { return }
        classes.removeAll(keepingCapacity: true)
        for scalar in folded { classes.append(combiningClass(of: scalar)) }
        var start = 0
        while start < folded.count {
            guard classes[start] != 0 else {
                start += 1
                continue
            }
            var end = start + 1
            while end < folded.count, classes[end] != 0 { end += 1 }
            if end - start > 1 { sortMarks(start..<end) }
            start = end
        }
    }

    /// Sorts by (class, place); the place makes the order stable whatever the algorithm.
    private mutating func sortMarks(_ range: Range<Int>) {
        var places = range.map { UInt64(classes[$0]) << 32 | UInt64($0) }
        places.sort()
        let sorted = places.map { folded[Int($0 & 0xFFFF_FFFF)] }
        for (offset, scalar) in sorted.enumerated() { folded[range.lowerBound + offset] = scalar }
    }

    /// Folds the case of every scalar that is not a mark.
    mutating func foldCase(_ kind: Decomposition) {
        swap(&folded, &former)
        folded.removeAll(keepingCapacity: true)
        for scalar in former {
            if scalar < 0x80 {
                folded.append(scalar &- 0x41 < 26 ? scalar | 0x20 : scalar)
            } else if UnicodeCategory(of: scalar) == .mark {
                folded.append(scalar)
            } else {
                appendDecomposition(of: scalar, kind.union(.caseFolded), to: &folded)
            }
        }
        putInCanonicalOrder()
    }

    /// Makes I with a dot above i, and I without one ı.
    mutating func foldTurkishCase() {
        swap(&folded, &former)
        folded.removeAll(keepingCapacity: true)
        var capital: Int?
        for scalar in former {
            if scalar == 0x49 {
                capital = folded.count
                folded.append(0x131)
            } else if scalar == 0x307, let place = capital {
                folded[place] = 0x69
                capital = nil
            } else {
                if UnicodeCategory(of: scalar) != .mark { capital = nil }
                folded.append(scalar)
            }
        }
    }

    /// Drops combining marks, save those that are letters or make a letter of `alphabet`, and what
    /// nobody sees.
    mutating func dropMarks(except alphabet: Alphabet) {
        var base: UInt32 = 0
        folded.removeAll { scalar in
            if scalar >= 0x80 {
                if UnicodeCategory(of: scalar) == .mark {
                    return !alphabet.protects(base, scalar) && !LetterSigns.contains(scalar)
                }
                if Ignorables.contains(scalar) { return true }
            }
            base = scalar
            return false
        }
    }

    /// Makes one scalar of a letter and a sign right behind it that is a letter, where Unicode has
    /// one.
    mutating func composeLetterSigns() {
        guard folded.count > 1 else { return }
        var count = 1
        for place in 1..<folded.count {
            let scalar = folded[place]
            if LetterSigns.includes(scalar), let whole = composite(of: folded[count - 1], scalar) {
                folded[count - 1] = whole
            } else {
                folded[count] = scalar
                count += 1
            }
        }
        folded.removeLast(folded.count - count)
    }

    /// Makes one of apostrophes, hyphens and spaces that look alike.
    mutating func mergeLookAlikes() {
        for index in folded.indices { folded[index] = LookAlikes.folded(folded[index]) }
    }

    /// Makes ı i.
    mutating func mergeDotlessI() {
        for index in folded.indices where folded[index] == 0x131 { folded[index] = 0x69 }
    }
}
