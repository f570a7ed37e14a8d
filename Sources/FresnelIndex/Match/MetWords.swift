import FresnelKernels
import FresnelSystem

/// The documents that have all of some words, and where each stands in the words' lists.
struct MetWords: Sendable {
    /// The documents, ascending.
    private(set) var documents: [DocumentNumber] = []
    /// For each word the place of each document in its list.
    private(set) var places: [[UInt32]]

    /// Meets the lists of words, the shortest first.
    ///
    /// - Parameter candidates: only these are looked for.
    init(
        _ words: [PostingList], of lists: PostingLists, among candidates: DocumentSet,
        control: SearchControl
    ) throws(SearchStop) {
        var pace = CheckPace(control)
        let order = Self.shortestFirst(words)
        places = words.map { _ in [] }
        guard let rarest = order.first else { return }
        var first = 0
        // The word whose documents are still all of its list: they are their own places.
        var whole: Int?
        if case .list(let list) = candidates.form, list.count < words[rarest].documentCount {
            documents = list
        } else {
            try lists.appendDocuments(of: words[rarest], to: &documents, &pace)
            first = 1
            if candidates.isAll { whole = rarest } else { keep(candidates, rarest) }
        }
        var table = PlaceTable()
        for number in first..<order.count {
            let word = order[number]
            let met = try lists.meet(documents, with: words[word], &table, &pace)
            documents = met.numbers
            for former in order[..<number] {
                places[former] =
                    former == whole ? met.origins : Self.moved(places[former], by: met.origins)
            }
            whole = nil
            places[word] = met.places
        }
        if let whole { places[whole] = documents.indices.map { UInt32($0) } }
    }

    /// The places of lists, the shortest first.
    private static func shortestFirst(_ words: [PostingList]) -> [Int] {
        guard words.count != 2 else {
            return words[1].documentCount < words[0].documentCount ? turned : straight
        }
        return words.indices.sorted {
            (words[$0].documentCount, $0) < (words[$1].documentCount, $1)
        }
    }

    /// The orders of two words.
    private static let straight = [0, 1]
    private static let turned = [1, 0]

    /// The documents of one word but some.
    ///
    /// - Parameter others: those left out, ascending.
    init(
        _ word: PostingList, of lists: PostingLists, without others: [DocumentNumber],
        control: SearchControl
    ) throws(SearchStop) {
        var all: [DocumentNumber] = []
        var pace = CheckPace(control)
        try lists.appendDocuments(of: word, to: &all, &pace)
        var kept: [UInt32] = []
        kept.reserveCapacity(all.count)
        var next = 0
        var count = 0
        for place in all.indices {
            let document = all[place]
            while next < others.count, others[next] < document { next += 1 }
            guard next == others.count || others[next] != document else { continue }
            all[count] = document
            count += 1
            kept.append(UInt32(place))
        }
        all.removeLast(all.count - count)
        (documents, places) = (all, [kept])
    }

    /// Whether a document is one of them.
    func contains(_ document: DocumentNumber) -> Bool {
        let place = SortedNumbers.lowerBound(of: document, in: documents.span, from: 0)
        return place < documents.count && documents[place] == document
    }

    /// Keeps those of a word's documents that are looked for.
    private mutating func keep(_ candidates: DocumentSet, _ word: Int) {
        let bits = candidates.bitset
        places[word] = documents.indices.compactMap { place in
            bits.contains(Int(documents[place])) ? UInt32(place) : nil
        }
        documents = documents.filter { bits.contains(Int($0)) }
    }

    private static func moved(_ places: [UInt32], by origins: [UInt32]) -> [UInt32] {
        origins.map { places[Int($0)] }
    }
}

extension PostingLists {
    /// Which of some documents, ascending, are in a list.
    ///
    /// - Parameter table: room for looking, which meetings use one after the other.
    func meet(
        _ documents: [DocumentNumber], with list: PostingList, _ table: inout PlaceTable,
        _ pace: inout CheckPace
    ) throws(SearchStop) -> PostingMeeting {
        var meeting = PostingMeeting()
        let blocks: Range<Int>
        switch list.form {
        case .single:
            try pace.step(128)
            if let only = list.only { meeting.look(for: documents.span, only: only) }
            return meeting
        case .block(let start):
            return try meet(documents, withOnlyBlockAt: start, list.documentCount, &table, &pace)
        case .blocks(let range): blocks = range
        }
        // Damaged: fewer blocks than documents need.
        let count = min(list.documentCount, 128 * blocks.count)
        let (blob, offsets, lasts) = (blob, blockOffsets, lastDocuments)
        for start in stride(from: 0, to: documents.count, by: CheckPace.interval) {
            let end = min(documents.count, start + CheckPace.interval)
            try pace.step(end - start)
            let list = PostingBlocks.List(
                blob: blob.bytes,
                offsets: offsets.span.extracting(blocks.lowerBound..<blocks.upperBound + 1),
                count: count, limit: documentCount, isCoded: isCoded)
            guard
                meeting.look(
                    for: documents.span.extracting(start..<end), in: list,
                    lasts: lasts.span.extracting(blocks), &table)
            else { break }
        }
        return meeting
    }

    /// The same for a list of one block that is not in the table of blocks.
    private func meet(
        _ documents: [DocumentNumber], withOnlyBlockAt place: Int, _ count: Int,
        _ table: inout PlaceTable, _ pace: inout CheckPace
    ) throws(SearchStop) -> PostingMeeting {
        var meeting = PostingMeeting()
        guard count > 0 else { return meeting }
        let blob = blob
        let ends: InlineArray<2, UInt32> = [UInt32(place), UInt32(blob.count)]
        // The greatest document of the only block need not be known.
        let lasts: InlineArray<1, UInt32> = [.max]
        for start in stride(from: 0, to: documents.count, by: CheckPace.interval) {
            let end = min(documents.count, start + CheckPace.interval)
            try pace.step(end - start)
            let list = PostingBlocks.List(
                blob: blob.bytes, offsets: ends.span, count: count, limit: documentCount,
                isCoded: isCoded)
            guard
                meeting.look(
                    for: documents.span.extracting(start..<end), in: list, lasts: lasts.span,
                    &table)
            else { break }
        }
        return meeting
    }
}
