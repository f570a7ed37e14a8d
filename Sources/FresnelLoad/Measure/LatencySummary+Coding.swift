import Histogram

// Latencies as they go from one process of a load to another: only what was recorded.

extension LatencySummary: Codable {
    private enum Key: String, CodingKey {
        case isCoarse, values, counts
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(digits: try container.decode(Bool.self, forKey: .isCoarse) ? .two : .three)
        let values = try container.decode([UInt64].self, forKey: .values)
        let counts = try container.decode([UInt64].self, forKey: .counts)
        for (value, count) in zip(values, counts) { record(microseconds: value, count: count) }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        let recorded = histogram.recordedValues().map { ($0.value, UInt64($0.count)) }
        try container.encode(
            histogram.numberOfSignificantValueDigits == .two, forKey: .isCoarse)
        try container.encode(recorded.map(\.0), forKey: .values)
        try container.encode(recorded.map(\.1), forKey: .counts)
    }
}
