/// Finds the name that was probably meant.
///
/// The distance is optimal string alignment: insertions, deletions, replacements and swaps of
/// neighbours count one each, over lower-cased letters so that `Title` is at distance 0 of `title`.
package enum NearestName {
    /// The nearest of `names`, or nil when none is near enough to be a slip of the finger.
    ///
    /// Ties go to the name that sorts first, so that the answer never varies.
    package static func find(_ word: String, among names: some Sequence<String>) -> String? {
        let letters = Array(word.lowercased().unicodeScalars)
        guard letters.count <= 64 else { return nil }
        let allowed = max(1, min(3, letters.count / 3))
        var best: (distance: Int, name: String)?
        for name in names {
            let others = Array(name.lowercased().unicodeScalars)
            guard abs(others.count - letters.count) <= allowed else { continue }
            let distance = distance(letters, others)
            guard distance <= allowed else { continue }
            if let current = best, (current.distance, current.name) <= (distance, name) { continue }
            best = (distance, name)
        }
        return best?.name
    }

    /// Edits between two words; three rows of the table are alive at a time.
    package static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var beforeLast = [Int](repeating: 0, count: right.count + 1)
        var last = Array(0...right.count)
        for row in 0..<left.count {
            var current = [row + 1]
            current.reserveCapacity(right.count + 1)
            for column in 0..<right.count {
                let replaced = last[column] + (left[row] == right[column] ? 0 : 1)
                var cost = min(replaced, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1],
                    left[row - 1] == right[column]
                {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}
