import FresnelKernels
import FresnelModel
import FresnelSystem
import FresnelWire
import Testing

@testable import FresnelIndex

/// Postings of packed segments against those of plain ones, which are their plain twin.
@Suite("Packed postings")
struct PackedPostingsTests {
    /// Documents with words of all frequencies, repeated words, several attributes and elements.
    private static func documents(_ count: Int, seed: UInt64) -> [IncomingDocument] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { number in
            var words = (0..<Int.random(in: 0..<12, using: &generator)).map { _ in
                "w\(UInt32.random(in: 0...(.max), using: &generator).leadingZeroBitCount)"
            }
            if number % 3 == 0 { words += ["third", "third"] }
            if number % 400 == 0 { words += Array(repeating: "much", count: 300) }
            if number % 5 == 0 { words.append("once\(number)") }
            if number == 77 { words += Array(repeating: "x", count: 40_000) + ["far"] }
            var document = Document(
                uniqueIdentifier: "item-\(number * 7 % count)",
                attributes: ["contentDescription": .string(words.joined(separator: " "))])
            if number % 4 == 1 {
                document.attributes["keywords"] = .strings(["third w3", "tag\(number % 50)"])
            }
            return IncomingDocument(
                encoded: DocumentCoding.encode(document), document: document, createdSequence: 1)
        }
    }

    private static func pair(_ seed: UInt64) throws -> (plain: Segment, packed: Segment) {
        let documents = documents(1500, seed: seed)
        let packed = try SegmentBuilder.build(documents: documents, packing: .always)
        try SegmentVerifier.verify(SharedBytes(packed.bytes), named: packed.name)
        return (try SegmentBuilder.build(documents: documents).open(), try packed.open())
    }

    @Test("Every list has the same documents and occurrences in both forms", arguments: [1, 2])
    func lists(seed: UInt64) throws {
        let (plain, packed) = try Self.pair(seed)
        #expect(plain.terms.count == packed.terms.count)
        for (left, right) in [
            (plain.postings, packed.postings),
            (try #require(plain.asidePostings), try #require(packed.asidePostings)),
        ] {
            for term in 0..<TermID(plain.terms.count) {
                #expect(left.documentCount(of: term) == right.documentCount(of: term))
                #expect(left.attributeMask(of: term) == right.attributeMask(of: term))
                try Self.compare(left, right, term)
            }
        }
    }

    private static func compare(
        _ left: PostingLists, _ right: PostingLists, _ term: TermID
    ) throws {
        var (one, other) = (left.cursor(for: term), right.cursor(for: term))
        var places = PostingPlaces(right, right.list(of: term))
        var (first, second): ([Occurrence], [Occurrence]) = ([], [])
        var documents: [DocumentNumber] = []
        while !one.isAtEnd {
            #expect(one.documentNumber == other.documentNumber)
            one.occurrences(into: &first)
            other.occurrences(into: &second)
            #expect(first == second)
            second.removeAll()
            places.forEachOccurrence(at: documents.count) { second.append($0) }
            #expect(first == second)
            documents.append(one.documentNumber)
            one.advance()
            other.advance()
        }
        #expect(other.isAtEnd)
        var found: [DocumentNumber] = []
        try right.appendDocuments(of: term, to: &found)
        #expect(found == documents)
        var set = Bitset(count: left.documentCount)
        try right.insertDocuments(of: term, into: &set)
        found = []
        set.append(to: &found)
        #expect(found == documents)
    }

    @Test("Both forms seek and meet alike", arguments: [3, 4])
    func seeking(seed: UInt64) throws {
        let (plain, packed) = try Self.pair(seed)
        var generator = SeededGenerator(seed: seed)
        var pace = CheckPace(nil)
        var table = PlaceTable()
        for term in 0..<TermID(plain.terms.count) where term % 7 == 0 {
            var (one, other) = (plain.postings.cursor(for: term), packed.postings.cursor(for: term))
            var target: DocumentNumber = 0
            while !one.isAtEnd {
                target += .random(in: 0..<90, using: &generator)
                one.seek(to: target)
                other.seek(to: target)
                #expect(one.documentNumber == other.documentNumber)
            }
            let wanted = (0..<1500).filter { $0 % 11 < 4 }.map { DocumentNumber($0) }
            let left = try plain.postings.meet(
                wanted, with: plain.postings.list(of: term), &table, &pace)
            let right = try packed.postings.meet(
                wanted, with: packed.postings.list(of: term), &table, &pace)
            #expect(left.numbers == right.numbers && left.places == right.places)
            #expect(left.origins == right.origins)
        }
    }

    @Test("Both forms find the same terms by what they contain")
    func grams() throws {
        let documents = (0..<9000).map { number in
            let document = Document(
                uniqueIdentifier: "id\(number)",
                attributes: ["contentDescription": .string("word\(number * 7919 % 100_003)x")])
            return IncomingDocument(
                encoded: DocumentCoding.encode(document), document: document, createdSequence: 1)
        }
        let packed = try SegmentBuilder.build(documents: documents, packing: .always)
        try SegmentVerifier.verify(SharedBytes(packed.bytes), named: packed.name)
        let plain = SegmentPacking(documents: .max, longTextTokens: 8)
        let (left, right) = (
            try SegmentBuilder.build(documents: documents, packing: plain).open().terms,
            try packed.open().terms
        )
        #expect(left.grams?.blockLength == 1)
        #expect(right.grams?.blockLength == GramTable.packedBlockLength)
        for needle in ["123", "ord", "rd99", "0x", "d7777x", "777x", "zzz", "99x"] {
            let bytes = Array(needle.utf8)
            let expected = try left.terms(containing: bytes.span)
            #expect(try right.terms(containing: bytes.span) == expected)
            for dictionary in [left, right] {
                for count in [1, 48, .max] {
                    let blocks = dictionary.firstBlocks(containing: bytes.span, atMost: count)
                    guard needle.count >= GramTable.length, let blocks else {
                        #expect(blocks == nil)
                        continue
                    }
                    let first = dictionary.terms(containing: bytes.span, in: blocks)
                    if blocks.count < count { #expect(first == expected) }
                    #expect(blocks.count <= count)
                    #expect(first.allSatisfy { expected.contains($0) })
                }
            }
        }
    }

    @Test("Lists of single occurrences alone, damaged after opening, give others, never a crash")
    func damagedSingles() throws {
        let documents = (0..<200).map { number in
            let document = Document(
                uniqueIdentifier: "w\(number)",
                attributes: ["contentDescription": .string("w\(number) word\(number)")])
            return IncomingDocument(
                encoded: DocumentCoding.encode(document), document: document, createdSequence: 1)
        }
        let bytes = try SegmentBuilder.build(documents: documents, packing: .always).bytes
        let whole = try Segment(SharedBytes(bytes))
        let aside = try #require(whole.asidePostings)
        #expect([whole.postings, aside].allSatisfy { $0.packed?.counts.count == 0 })
        let places = try SectionTable(SharedBytes(bytes)).entries.filter {
            [.singleLists, .singleAsideLists].contains($0.section.kind)
        }
        #expect(places.count == 2)
        var generator = SeededGenerator(seed: 7)
        var openCount = 0
        for _ in 0..<200 {
            var damaged = bytes
            let range = places[Int.random(in: 0..<2, using: &generator)].range
            damaged[Int.random(in: range, using: &generator)] = .random(
                in: 0...255, using: &generator)
            // What opening refuses is not the question here.
            guard let opened = try? Segment(SharedBytes(damaged), check: .footer),
                let aside = opened.asidePostings
            else { continue }
            openCount += 1
            for term in 0..<TermID(whole.terms.count) {
                try Self.readAll(opened.postings, term)
                try Self.readAll(aside, term)
            }
        }
        #expect(openCount > 50)
    }

    /// Reads a list in every way there is.
    private static func readAll(_ lists: PostingLists, _ term: TermID) throws {
        let wanted = (0..<lists.documentCount).map { DocumentNumber($0) }
        var pace = CheckPace(nil)
        var set = Bitset(count: lists.documentCount)
        var found: [DocumentNumber] = []
        try lists.insertDocuments(of: term, into: &set)
        try lists.appendDocuments(of: term, to: &found)
        var table = PlaceTable()
        let met = try lists.meet(wanted, with: lists.list(of: term), &table, &pace)
        #expect(met.numbers.count <= wanted.count)
        #expect(max(found.count, lists.documentCount(of: term)) <= 255)
        #expect(lists.attributeMask(of: term).nonzeroBitCount <= 64)
        var places = PostingPlaces(lists, lists.list(of: term))
        places.forEachOccurrence(at: 0) { _ in }
        var cursor = lists.cursor(for: term)
        while !cursor.isAtEnd { cursor.advance() }
    }

    @Test("The last list with any byte at its end gives other occurrences, never a crash")
    func damagedEnd() throws {
        // Two documents of three have the last term, twice each.
        let documents = (0..<3).map { number in
            let words = (0..<20).map { "a\($0)" } + (number < 2 ? ["zz", "zz"] : [])
            let document = Document(
                uniqueIdentifier: "i\(number)",
                attributes: ["contentDescription": .string(words.joined(separator: " "))])
            return IncomingDocument(
                encoded: DocumentCoding.encode(document), document: document, createdSequence: 1)
        }
        let bytes = try SegmentBuilder.build(documents: documents, packing: .always).bytes
        let terms = try Segment(SharedBytes(bytes)).terms.count
        let table = try SectionTable(SharedBytes(bytes))
        var openCount = 0
        var occurrences: [Occurrence] = []
        for entry in table.entries
        where [.codedBlocks, .codedAsideBlocks].contains(entry.section.kind) {
            // Eight bytes that are always there, and the last block.
            for place in entry.range.suffix(14) {
                for value in UInt8.min ... .max {
                    var damaged = bytes
                    damaged[place] = value
                    // What opening refuses is not the question here.
                    guard let opened = try? Segment(SharedBytes(damaged), check: .footer),
                        let aside = opened.asidePostings
                    else { continue }
                    openCount += 1
                    for lists in [opened.postings, aside] {
                        try Self.readAll(lists, TermID(terms - 1))
                        var cursor = lists.cursor(for: TermID(terms - 1))
                        while !cursor.isAtEnd {
                            #expect(cursor.documentNumber < 3)
                            cursor.occurrences(into: &occurrences)
                            cursor.advance()
                        }
                    }
                }
            }
        }
        #expect(openCount > 5_000)
    }

    @Test("Postings damaged after opening give other documents and occurrences, never a crash")
    func damage() throws {
        let bytes = try SegmentBuilder.build(
            documents: Self.documents(400, seed: 5), packing: .always
        ).bytes
        let segment = try Segment(SharedBytes(bytes))
        let table = try SectionTable(SharedBytes(bytes))
        let places = table.entries.filter {
            [.codedBlocks, .codedAsideBlocks].contains($0.section.kind)
        }
        #expect(places.count == 2)
        var generator = SeededGenerator(seed: 6)
        for _ in 0..<200 {
            var damaged = bytes
            let range = places[Int.random(in: 0..<2, using: &generator)].range
            // Behind the table of blocks.
            damaged[Int.random(in: range.lowerBound + 64..<range.upperBound, using: &generator)] =
                .random(in: 0...255, using: &generator)
            // What opening refuses is not the question here.
            guard let opened = try? Segment(SharedBytes(damaged), check: .footer) else { continue }
            for term in 0..<TermID(segment.terms.count) where term % 3 == 0 {
                var cursor = opened.postings.cursor(for: term)
                var occurrences: [Occurrence] = []
                while !cursor.isAtEnd {
                    #expect(cursor.documentNumber < 400)
                    cursor.occurrences(into: &occurrences)
                    cursor.advance()
                }
            }
        }
    }
}
