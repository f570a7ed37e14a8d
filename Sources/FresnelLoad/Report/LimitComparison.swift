import FresnelJSON

/// The highest rates that two reports found, beside each other: of one cluster, or of each size.
struct LimitComparison {
    /// Limits of both; more is better.
    private(set) var rows: [Comparison.Row] = []
    /// Limits that cannot be compared as figures, since one of them is none.
    private(set) var remarks: [Comparison.Difference] = []
    /// Names of limits that only one of the reports has.
    let onlyBefore: [String]
    let onlyAfter: [String]

    /// One of a report.
    private struct Limit {
        let name: String
        /// In requests a second; nil where no rate held.
        let rate: Double?
        /// Whether the generator was the limit, so that more may hold.
        let isLimited: Bool

        var text: String { SearchLimit.text(rate, isLimited: isLimited) ?? "no rate" }
    }

    init(_ before: JSONValue, _ after: JSONValue) {
        let (old, new) = (Self.limits(of: before), Self.limits(of: after))
        onlyBefore = old.map(\.name).filter { name in !new.contains { $0.name == name } }
        onlyAfter = new.map(\.name).filter { name in !old.contains { $0.name == name } }
        for limit in old {
            guard let other = new.first(where: { $0.name == limit.name }) else { continue }
            compare(limit, other)
        }
    }

    private mutating func compare(_ before: Limit, _ after: Limit) {
        guard let first = before.rate, first > 0, !before.isLimited, !after.isLimited else {
            let difference = Comparison.Difference(
                name: "\(before.name), not compared", before: before.text, after: after.text)
            if difference.isDifferent { remarks.append(difference) }
            return
        }
        // A search ends when the next rate, so much higher, did not hold. Where no rate held any
        // more, that is worse beyond any tolerance.
        let second = after.rate ?? 0
        let ratio = second / first
        rows.append(
            Comparison.Row(
                name: before.name, before: first, after: second,
                ratio: ratio / SaturationSearch.precision...ratio * SaturationSearch.precision,
                isLatency: false))
    }

    /// The limits of a report; none where its search was interrupted, or there was none.
    private static func limits(of report: JSONValue) -> [Limit] {
        let points = report["scaling"]?["points"]?.array ?? []
        guard points.isEmpty else {
            // What closed loops reached stands in their measurements.
            guard report["scaling"]?["measure"]?.string == ScalingReport.Measure.saturation.rawValue
            else { return [] }
            return points.map(limit)
        }
        let searched = (report["measurements"]?.array ?? []).contains {
            $0["purpose"]?.string == LoadReport.Measurement.Purpose.search.rawValue
        }
        guard searched, report["interruption"]?.string == nil else { return [] }
        // A search that lost one of its processes was given up.
        guard report["saturation"]?.double != nil || report["valid"]?.bool == true else {
            return []
        }
        return [
            Limit(
                name: ScalingReport.Measure.saturation.title,
                rate: report["saturation"]?.double,
                isLimited: report["saturationLimit"]?.string != nil)
        ]
    }

    private static func limit(of point: JSONValue) -> Limit {
        let size = Figure.count(Int(point["workers"]?.integer ?? 0), "worker")
        return Limit(
            name: "\(size), \(point["documents"]?.integer ?? 0) documents: "
                + ScalingReport.Measure.saturation.title,
            rate: point["throughput"]?.double, isLimited: point["limited"]?.bool == true)
    }
}
