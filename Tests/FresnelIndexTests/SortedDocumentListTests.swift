import FresnelSystem
import Testing

@testable import FresnelIndex

@Suite("Lists of a sorted view")
struct SortedDocumentListTests {
    /// Documents below a power of two, the greatest among them.
    private static func order(_ count: Int, width: Int) -> [DocumentNumber] {
        var generator = SeededGenerator(seed: UInt64(64 * count + width))
        return (0..<count).map { place in
            place % 50 == 1
                ? DocumentNumber(1 << width - 1)
                : DocumentNumber(Int.random(in: 0..<1 << width, using: &generator))
        }
    }

    private static func packed(_ order: [DocumentNumber], width: Int) throws -> SortedDocuments {
        var reader = try NarrowTablesTests.section { writer in
            writer.array(SortedDocuments.words(order, of: 1 << width))
        }
        let sorted = try SortedDocuments(packed: &reader, count: order.count, of: 1 << width)
        try reader.requireEnd()
        #expect(sorted.width == width)
        return sorted
    }

    /// The ranges whose lists are not what the order has there.
    private static func wrong(
        _ sorted: SortedDocuments, _ order: [DocumentNumber], from starts: some Sequence<Int>
    ) -> [Range<Int>] {
        var wrong: [Range<Int>] = []
        for start in starts {
            for end in start...order.count {
                let list = sorted.list(start..<end)
                if list != Array(order[start..<end]) { wrong.append(start..<end) }
            }
        }
        return wrong
    }

    @Test("have in any range what its entries are one by one", arguments: 1...32)
    func everyRange(width: Int) throws {
        for count in [0, 1, 2, 63, 130] {
            let order = Self.order(count, width: width)
            let sorted = try Self.packed(order, width: width)
            #expect(order.indices.map { sorted[$0] } == order)
            #expect(Self.wrong(sorted, order, from: 0...count) == [], "of \(count)")
        }
    }

    @Test("of some hundreds end right, however near the last word", arguments: 1...32)
    func ends(width: Int) throws {
        let order = Self.order(400, width: width)
        let sorted = try Self.packed(order, width: width)
        #expect(order.indices.map { sorted[$0] } == order)
        let starts = [0, 1, 7, 200, 333] + Array(360...400)
        #expect(Self.wrong(sorted, order, from: starts) == [])
    }

    @Test("are the same where documents are plain, and where they are lent", arguments: [1, 9, 32])
    func plain(width: Int) throws {
        let order = Self.order(70, width: width)
        let plain = SortedDocuments(PackedArray(copying: order))
        #expect(plain.width == 0)
        #expect(Self.wrong(plain, order, from: 0...70) == [])
        for sorted in [plain, try Self.packed(order, width: width)] {
            for start in order.indices {
                let found = sorted.withDocuments(start..<70) { documents in
                    var found: [DocumentNumber] = []
                    for place in documents.indices { found.append(documents[place]) }
                    return found
                }
                #expect(found == Array(order[start...]))
            }
        }
    }
}
