import FresnelJSON

/// What only one of two reports has: measurements, and the highest rates of searches.
///
/// Which rates a search tries follows from what it finds, and so does whether there is an overload;
/// of two searches that came to their end that is told, and their limits are compared. Everything
/// else that is missing was not asked of both.
struct MissingMeasurements {
    /// What was asked of one alone.
    private(set) var differences: [Comparison.Difference] = []
    /// What one search tried and the other did not.
    private(set) var remarks: [Comparison.Difference] = []

    init(
        _ before: JSONValue, _ after: JSONValue, _ limits: LimitComparison
    ) throws(ComparisonError) {
        let (old, new) = (try Self.names(before), try Self.names(after))
        let areWhole = [before, after].allSatisfy { $0["interruption"]?.string == nil }
        let ofSearches = { (isSearch: Bool) in
            (
                old.filter { !new.keys.contains($0.key) && ($0.value && areWhole) == isSearch },
                new.filter { !old.keys.contains($0.key) && ($0.value && areWhole) == isSearch }
            )
        }
        differences += Self.difference("measurements of one report alone", ofSearches(false))
        remarks += Self.difference("rates of one search alone", ofSearches(true))
        if !limits.onlyBefore.isEmpty || !limits.onlyAfter.isEmpty {
            differences.append(
                Comparison.Difference(
                    name: "limits of one report alone", before: Self.list(limits.onlyBefore),
                    after: Self.list(limits.onlyAfter)))
        }
    }

    /// The measurements of a report, and whether each belongs to a search.
    private static func names(
        _ report: JSONValue
    ) throws(ComparisonError) -> [Comparison.Name: Bool] {
        var names: [Comparison.Name: Bool] = [:]
        for (name, value) in try Comparison.measurements(report) {
            let purpose = value["purpose"]?.string.flatMap(
                LoadReport.Measurement.Purpose.init(rawValue:))
            names[name] =
                purpose == .search || purpose == .overload || name.label == LoadReport.recovery
        }
        return names
    }

    private static func difference(
        _ name: String, _ alone: ([Comparison.Name: Bool], [Comparison.Name: Bool])
    ) -> [Comparison.Difference] {
        let (old, new) = (alone.0.keys.map(\.text).sorted(), alone.1.keys.map(\.text).sorted())
        guard !old.isEmpty || !new.isEmpty else { return [] }
        return [Comparison.Difference(name: name, before: list(old), after: list(new))]
    }

    private static func list(_ names: [String]) -> String {
        names.isEmpty ? "none" : names.joined(separator: ", ")
    }
}
