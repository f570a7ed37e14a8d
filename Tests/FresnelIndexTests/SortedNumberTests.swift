import Testing

@testable import FresnelIndex

@Suite("Numbers in order")
struct SortedNumberTests {
    @Test("ascend, equal ones by the place of their document's identifier, each document once")
    func order() {
        var lists = RowLists<Double>()
        let rows: [[Double]] = [
            [2, -7.5, 2], [-0.0], [0, .infinity], [2], [-.infinity, 0, -1e9], [2.5, 2],
        ]
        for row in rows {
            lists.elements += row
            lists.closeRow()
        }
        // Documents 0 to 6, of which 3 has no number; identifiers in another order than documents.
        let documents: [UInt32] = [0, 1, 2, 4, 5, 6]
        let ranks: [UInt32] = [5, 3, 4, 6, 0, 2, 1]
        for ranks in [ranks, []] {
            let contents = SortedNumberContents(lists, of: documents, ranks: ranks)
            var expected: [(value: Double, rank: UInt32, document: UInt32)] = []
            for (row, document) in zip(rows, documents) {
                for value in Set(row.map { $0 + 0 }) {
                    let rank = ranks.isEmpty ? document : ranks[Int(document)]
                    expected.append((value, rank, document))
                }
            }
            expected.sort { ($0.value, $0.rank) < ($1.value, $1.rank) }
            #expect(contents.values == expected.map(\.value))
            #expect(contents.documents == expected.map(\.document))
            #expect(contents.values.allSatisfy { $0 != 0 || $0.sign == .plus })
        }
    }
}
