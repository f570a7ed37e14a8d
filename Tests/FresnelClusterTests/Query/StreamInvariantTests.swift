import Foundation
import Testing

@testable import FresnelCluster

@Suite("Promises of the stream")
struct StreamInvariantTests {
    @Test("Q-57: The protocol's table names every promise that a broker counts, in its words")
    func table() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Documentation/protocol.md").standardized
        let text = try String(contentsOf: root, encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") }
        for invariant in StreamInvariant.workerPromises {
            let row = rows.first { $0.hasPrefix("| \(invariant.rawValue) |") }
            #expect(row?.contains(invariant.promise) == true, "\(invariant)")
        }
    }

    @Test("Q-57: A status has a counter for each, and their sum is that of the failed parts")
    func counters() {
        var counts = ViolationCounts()
        for invariant in StreamInvariant.workerPromises { counts.count(invariant) }
        let names = counts.all.map(\.name)
        #expect(names == StreamInvariant.workerPromises.map { "violations.\($0)" })
        #expect(counts.total == counts.all.reduce(0) { $0 + $1.value })
        var later = counts
        later.count(.boundMonotone)
        var sum = ViolationCounts()
        sum.add(later, since: counts)
        #expect(sum.total == 1 && sum[.boundMonotone] == 1)
    }
}
