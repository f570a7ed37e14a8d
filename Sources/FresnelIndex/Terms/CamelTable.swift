import FresnelKernels

/// The word boundaries inside terms (`MyWindowClass`: before Window and before Class), sorted by
/// the rest of the folded key that begins there.
package struct CamelTable: Sendable {
    /// The term of each entry.
    let terms: PackedArray<UInt32>
    /// Where in the blob of folded keys the rest begins.
    let starts: PackedArray<UInt32>
    /// Where the rest, and the term's key, ends.
    let ends: PackedArray<UInt32>

    /// The number of inner boundaries of all terms.
    package var count: Int { terms.count }

    /// The term of an entry.
    package func term(at index: Int) -> TermID { terms[index] }

    /// The entries whose rest begins with `prefix`; `keys` are the dictionary's folded keys.
    package func range(withFoldedPrefix prefix: Span<UInt8>, in keys: Span<UInt8>) -> Range<Int> {
        let start = partition { ByteOrder.compare(rest(at: $0, in: keys), prefix) < 0 }
        // Mostly they are few.
        let end = Galloping.end(from: start, count: count) { begins($0, with: prefix, in: keys) }
        return start..<end
    }

    private func begins(_ index: Int, with prefix: Span<UInt8>, in keys: Span<UInt8>) -> Bool {
        ByteOrder.hasPrefix(rest(at: index, in: keys), prefix)
    }

    /// The terms of entries, ascending and distinct.
    package func terms(
        _ range: Range<Int>, control: SearchControl? = nil
    ) throws(SearchStop) -> [TermID] {
        var pace = CheckPace(control)
        var found: [TermID] = []
        for entry in range {
            try pace.step()
            found.append(terms[entry])
        }
        found.sort()
        var kept = 0
        for index in found.indices where index == 0 || found[index] != found[index - 1] {
            found[kept] = found[index]
            kept += 1
        }
        found.removeLast(found.count - kept)
        return found
    }

    /// What follows the boundary of an entry; empty when the entry is damaged.
    @_lifetime(copy keys)
    func rest(at index: Int, in keys: Span<UInt8>) -> Span<UInt8> {
        let start = Int(starts[index])
        let end = Int(ends[index])
        return start <= end && end <= keys.count
            ? keys.extracting(start..<end)
            : keys.extracting(0..<0)
    }

    private func partition(_ isBelow: (Int) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = low + (high - low) / 2
            if isBelow(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
