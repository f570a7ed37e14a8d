import FresnelSystem

/// One token of a new segment, before terms are sorted.
struct OccurrenceRecord {
    /// The number of the term, in the order terms were first seen.
    var term: UInt32
    var document: UInt32
    /// The number of the attribute in the order first seen, times 65 536, plus the element.
    var field: UInt32
    var position: UInt32
}

extension OccurrenceRecord {
    /// Adds the postings of all terms, in the order of the terms' ranks.
    ///
    /// - Parameters:
    ///   - records: by document; within a document by (attribute name, position).
    ///   - ranks: for each term number its rank.
    ///   - ordinals: for each attribute number its ordinal.
    ///   - contents: what they become a part of; its attributes are known.
    static func addPostings(
        of records: [OccurrenceRecord], ranks: [UInt32], ordinals: [AttributeOrdinal],
        to contents: inout SegmentContents
    ) {
        let (order, ends) = sorted(records, ranks)
        var router = PostingRouter(contents)
        var start = 0
        var yieldPace = YieldPace()
        for end in ends {
            yieldPace.step(every: 16)
            for place in start..<end {
                let record = records[Int(order[place])]
                let occurrence = Occurrence(
                    attribute: ordinals[Int(record.field >> 16)],
                    element: UInt16(truncatingIfNeeded: record.field), position: record.position)
                router.append(occurrence, of: record.document, to: &contents)
            }
            router.endTerm(of: &contents)
            start = end
        }
    }

    /// Counting sort by rank, stable; also where the records of each rank end.
    private static func sorted(
        _ records: [OccurrenceRecord], _ ranks: [UInt32]
    ) -> (order: [UInt32], ends: [Int]) {
        var ends = [Int](repeating: 0, count: ranks.count + 1)
        var next = ends.mutableSpan
        for record in records { next[Int(ranks[Int(record.term)]) &+ 1] &+= 1 }
        for rank in 0..<ranks.count { next[rank + 1] += next[rank] }
        var order = [UInt32](repeating: 0, count: records.count)
        var target = order.mutableSpan
        for place in records.indices {
            let rank = Int(ranks[Int(records[place].term)])
            target[next[rank]] = UInt32(truncatingIfNeeded: place)
            next[rank] &+= 1
        }
        ends.removeLast()
        return (order, ends)
    }
}
