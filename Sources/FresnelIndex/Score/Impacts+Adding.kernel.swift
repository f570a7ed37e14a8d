import FresnelSystem

// Bounds are looked up for every document that several words have, most of which are never scored:
// one load for the code, one for what it stands for.

extension Impacts {
    /// Adds what a word adds to scores at most.
    ///
    /// - Parameters:
    ///   - codes: the word's (`codes(of:documentCount:)`).
    ///   - places: which of its postings is meant by each of `bounds`.
    func add(
        _ codes: (bytes: Range<Int>, place: Int), rarity: Double, _ places: [UInt32],
        to bounds: inout [Double]
    ) {
        precondition(places.count >= bounds.count, "\(places.count) places of \(bounds.count)")
        let blob = self.codes
        let bytes = blob.bytes.extracting(codes.bytes)
        let levels = levels.span
        guard let narrow else {
            for place in bounds.indices {
                bounds[place] += Relevance.contribution(
                    rarity: rarity, weightedOccurrences: levels[Int(bytes[Int(places[place])])])
            }
            return
        }
        let first = codes.place * NarrowLevels.count
        let shares = InlineArray<16, Double> { code in
            Relevance.contribution(
                rarity: rarity, weightedOccurrences: levels[Int(narrow.places[first + code])])
        }
        let shareSpan = shares.span
        unsafe shareSpan.withUnsafeBufferPointer { shares in
            unsafe places.withUnsafeBufferPointer { places in
                unsafe bounds.withUnsafeMutableBufferPointer { bounds in
                    for place in 0..<bounds.count {
                        // There are as many places, as was checked above, and sixteen shares; a
                        // place beyond the codes is stopped by the span.
                        let posting = unsafe places[place]
                        let shift = UInt8(truncatingIfNeeded: (posting & 1) &<< 2)
                        let code = bytes[Int(posting >> 1)] &>> shift & 15
                        unsafe bounds[place] += unsafe shares[Int(code)]
                    }
                }
            }
        }
    }
}
