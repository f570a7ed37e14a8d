import FresnelKernels
import FresnelQuery
import Testing

@testable import FresnelIndex

extension SegmentExpectation {
    /// Compares a numeric column with its numbers: rows, zones, intervals.
    func checkNumbers(_ expected: [UInt32: [Double]], _ column: NumericColumn) {
        for document in 0..<UInt32(documents.count) {
            let values = column.values(of: document)
            var found: [Double] = []
            for index in values.indices { found.append(values[index]) }
            #expect(found == expected[document] ?? [])
            let first = column.firstValue(of: document)
            #expect(first.isNaN ? expected[document] == nil : first == expected[document]?.first)
        }
        checkZones(expected, column.zones)
        let bounds = [-.infinity, -7.5, -1, 0, 1, 2, 2.5, 1e9, .infinity]
        for lower in bounds {
            for upper in bounds {
                for ends in 0..<4 {
                    let interval = NumericInterval(
                        lower: lower, upper: upper, includesLower: ends & 1 == 0,
                        includesUpper: ends & 2 == 0)
                    checkInterval(interval, expected, column)
                }
            }
        }
    }

    private func checkInterval(
        _ interval: NumericInterval, _ expected: [UInt32: [Double]], _ column: NumericColumn
    ) {
        let matching = expected.filter { $0.value.contains { interval.contains($0) } }
        var set = Bitset(count: documents.count)
        column.withDocuments(of: column.entries(in: interval)) { set.insertKnown($0) }
        var found: [UInt32] = []
        set.append(to: &found)
        #expect(found == matching.keys.sorted(), "\(interval)")
        if !column.isMultiValued {
            let all = Array(0..<UInt32(documents.count))
            #expect(column.documents(all, in: interval) == found, "\(interval)")
        }
        let distinct = expected.values.reduce(0) { sum, row in
            sum + Set(row.filter { interval.contains($0) }).count
        }
        #expect(column.entries(in: interval).count == distinct, "\(interval)")
    }

    private func checkZones(_ expected: [UInt32: [Double]], _ zones: ZoneMap) {
        #expect(zones.count == (documents.count + 4095) / 4096)
        for zone in 0..<zones.count {
            let range = ZoneMap.documents(ofZone: zone, of: documents.count)
            let rows = expected.filter { range.contains(Int($0.key)) }
            let values = rows.values.joined()
            #expect(zones.counts[zone] == UInt32(rows.count))
            #expect(zones.minima[zone] == values.min() ?? .infinity)
            #expect(zones.maxima[zone] == values.max() ?? -.infinity)
        }
    }
}
