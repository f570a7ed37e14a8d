import FresnelKernels
import FresnelText

/// The inner camel boundaries of the terms of a new segment, sorted by what follows them.
struct CamelOrder {
    struct Entry {
        var term: UInt32
        /// Where in the blob of folded keys the rest begins, and where the key ends.
        var start: UInt32
        var end: UInt32
    }

    let entries: [Entry]

    init(_ terms: SortedArena) {
        var entries: [Entry] = []
        var tokens = TokenList()
        for term in 0..<terms.count {
            let original = terms.originals[term]
            guard original.count > 0 else { continue }  // its own key: no upper case inside
            Tokenizer.tokenize(original, into: &tokens)
            let place = terms.keys.range(term)
            for boundary in tokens.boundaries {
                // Folding works character by character and boundaries stand between characters.
                var before: [UInt8] = []
                appendFoldedKey(of: original.extracting(first: Int(boundary)), to: &before)
                entries.append(
                    Entry(
                        term: UInt32(term), start: UInt32(place.lowerBound + before.count),
                        end: UInt32(place.upperBound)))
            }
        }
        let keys = terms.keys.bytes
        entries.sort { left, right in
            let difference = ByteOrder.compare(
                keys.span.extracting(Int(left.start)..<Int(left.end)),
                keys.span.extracting(Int(right.start)..<Int(right.end)))
            if difference != 0 { return difference < 0 }
            return (left.term, left.start) < (right.term, right.start)
        }
        self.entries = entries
    }
}
