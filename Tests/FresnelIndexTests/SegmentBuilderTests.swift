import FresnelIndex
import FresnelModel
import FresnelSystem
import FresnelWire
import Testing

struct SegmentBuilderTests {
    @Test(
        "A segment says of its documents exactly what was put in",
        arguments: [(1, 0), (2, 1), (3, 7), (4, 60), (5, 400)])
    func roundTrip(seed: UInt64, count: Int) throws {
        var source = SegmentDocuments(seed: seed)
        let documents = source.documents(count)
        let segment = try SegmentBuilder.build(documents: documents).open()
        SegmentExpectation(documents).check(segment)
    }

    @Test("The same documents in the same order always give the same bytes")
    func deterministic() throws {
        var source = SegmentDocuments(seed: 9)
        let documents = source.documents(80)
        let first = try SegmentBuilder.build(documents: documents)
        let second = try SegmentBuilder.build(documents: documents)
        #expect(first.bytes == second.bytes)
        #expect(first.name == second.name)
    }

    @Test("A zone map covers more than one zone")
    func zones() throws {
        let documents = (0..<9000).map { number in
            let document = Document(
                uniqueIdentifier: "\(number)",
                attributes: number % 3 == 0 ? ["rating": .number(Double(number % 500))] : [:])
            return IncomingDocument(encoded: [], document: document, createdSequence: 1)
        }
        let segment = try SegmentBuilder.build(documents: documents).open()
        let column = try #require(segment.attribute(named: "rating")?.numbers)
        let expected = Dictionary(
            uniqueKeysWithValues: stride(from: 0, to: 9000, by: 3).map {
                (UInt32($0), [Double($0 % 500)])
            })
        #expect(column.zones.count == 3)
        SegmentExpectation(documents).checkNumbers(expected, column)
    }

    @Test("Values that should not exist, empty texts and lists, are stored without harm")
    func emptyValues() throws {
        let document = Document(
            uniqueIdentifier: "a",
            attributes: [
                "title": .string(""), "keywords": .strings(["", "x"]), "theme": .strings([]),
            ])
        let documents = [
            IncomingDocument(encoded: [1], document: document, createdSequence: 1)
        ]
        SegmentExpectation(documents).check(try SegmentBuilder.build(documents: documents).open())
    }
}
