import FresnelKernels
import FresnelSystem

/// The word boundaries inside terms (`MyWindowClass`: before Window and before Class), sorted by
/// the rest of the folded key that begins there.
package struct CamelTable: Sendable {
    /// The term of each entry.
    let terms: PackedArray<UInt32>
    /// Where the rest begins: in the blob of folded keys, or in the term's own where keys stand in
    /// blocks.
    let starts: PackedArray<UInt32>
    /// Where the rest, and the term's key, ends, in the same.
    let ends: PackedArray<UInt32>

    /// The number of inner boundaries of all terms.
    package var count: Int { terms.count }

    /// The term of an entry.
    package func term(at index: Int) -> TermID { terms[index] }

    /// The entries whose rest begins with `prefix`; `texts` are the dictionary's.
    func range(withFoldedPrefix prefix: Span<UInt8>, of texts: SortedTexts) -> Range<Int> {
        let start = partition { entry in
            withRest(at: entry, of: texts) { ByteOrder.compare($0, prefix) < 0 }
        }
        // Mostly they are few.
        let end = Galloping.end(from: start, count: count) { entry in
            withRest(at: entry, of: texts) { ByteOrder.hasPrefix($0, prefix) }
        }
        return start..<end
    }

    /// Calls `body` with what follows the boundary of an entry; with nothing when it is damaged.
    func withRest<Answer>(
        at index: Int, of texts: SortedTexts, _ body: (Span<UInt8>) -> Answer
    ) -> Answer {
        guard let blocks = texts.blocks else {
            let blob = texts.keys.blob
            return body(rest(at: index, in: blob.bytes))
        }
        return blocks.withText(Int(terms[index])) { body(rest(at: index, in: $0)) }
    }

    /// The terms of entries, ascending and distinct.
    package func terms(
        _ range: Range<Int>, control: SearchControl? = nil
    ) throws(SearchStop) -> [TermID] {
        guard !range.isEmpty else { return [] }
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

    @_lifetime(copy keys)
    private func rest(at index: Int, in keys: Span<UInt8>) -> Span<UInt8> {
        let start = Int(starts[index])
        let end = Int(ends[index])
        return start <= end && end <= keys.count
            ? keys.extracting(start..<end)
            : keys.extracting(0..<0)
    }

    private func partition(_ isBelow: (Int) -> Bool) -> Int {
        Bisection.end(from: 0, to: count, while: isBelow)
    }
}
