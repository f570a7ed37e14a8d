import FresnelJSON

/// Looks whether a load may have written a report, as far as a comparison reads it: what is behind
/// it reckons with these figures and trusts them.
enum ReportCheck {
    /// Checks a report.
    ///
    /// - Throws: `ComparisonError.notAReport` of what is none, `.damaged` with the first place that
    ///   cannot be.
    static func check(_ report: JSONValue) throws(ComparisonError) {
        guard report["format"]?.integer == LoadReport.format,
            let measurements = report["measurements"]?.array
        else { throw .notAReport }
        let whole = Place(report, "")
        _ = try whole.object("setting")
        try whole.bool("valid")
        try whole.text("interruption", isOptional: true)
        try whole.text("saturationLimit", isOptional: true)
        try whole.rate("saturation", isOptional: true)
        for (number, value) in measurements.enumerated() {
            try check(measurement: Place(value, "measurements[\(number)]"))
        }
        guard let scaling = try whole.object("scaling", isOptional: true) else { return }
        try scaling.text("measure")
        for point in try scaling.list("points") {
            try point.whole("workers", in: 1...1_000_000)
            try point.whole("documents", in: 0...Int64.max)
            try point.rate("throughput", isOptional: true)
            try point.bool("limited", isOptional: true)
        }
    }

    private static func check(measurement: Place) throws(ComparisonError) {
        try measurement.text("label")
        try measurement.text("purpose", isOptional: true)
        try measurement.bool("complete", isOptional: true)
        try measurement.rate("plannedRate", isOptional: true)
        try measurement.rate("goodput")
        let total = try measurement.object("total")
        try total?.number("keptShare", in: 0...1, isOptional: true)
        let moments = try total?.object("moments")
        let good = try total?.whole("good", in: 0...countMost) ?? 0
        // There is none where nothing was answered.
        guard let latencies = try moments?.object("completion", isOptional: good == 0) else {
            return
        }
        let count = try latencies.whole("count", in: good...countMost)
        let recorded = try latencies.list("recorded")
        var former: Int64 = -1
        var sum: Int64 = 0
        for pair in recorded {
            let values = try pair.wholes(count: 2)
            guard (0...latencyMost).contains(values[0]), values[0] > former else {
                throw pair.damaged(
                    "has the latency \(values[0]), and they ascend from 0 to an hour")
            }
            guard values[1] > 0, values[1] <= countMost - sum else {
                throw pair.damaged("says that a latency came \(values[1]) times")
            }
            former = values[0]
            sum += values[1]
        }
        guard sum == count else {
            throw latencies.damaged("has \(sum) latencies recorded, and counts \(count ?? 0)")
        }
    }

    /// No load makes more requests.
    private static let countMost: Int64 = 1_000_000_000_000
    /// In microseconds; what is recorded as an hour may read a little longer.
    private static let latencyMost = Int64(2 * LatencySummary.longest)

    /// A value of a report, and where it stands.
    private struct Place {
        private let value: JSONValue
        private let name: String

        init(_ value: JSONValue, _ name: String) {
            self.value = value
            self.name = name
        }

        func damaged(_ complaint: String) -> ComparisonError {
            .damaged(place: name, complaint: complaint)
        }

        /// A member of this object; nil of one that may be missing and is, or is null.
        private func member(_ key: String, isOptional: Bool) throws(ComparisonError) -> Place? {
            guard value.object != nil else { throw expected("an object") }
            let place = Place(value[key] ?? .null, name.isEmpty ? key : "\(name).\(key)")
            if value[key] == nil || place.value.isNull {
                guard isOptional else {
                    throw place.damaged(value[key] == nil ? "is missing" : "is null")
                }
                return nil
            }
            return place
        }

        private func expected(_ what: String) -> ComparisonError {
            damaged("must be \(what), not \(value.kindWithArticle)")
        }

        func object(
            _ key: String, isOptional: Bool = false
        ) throws(ComparisonError) -> Place? {
            guard let member = try member(key, isOptional: isOptional) else { return nil }
            guard member.value.object != nil else { throw member.expected("an object") }
            return member
        }

        func list(_ key: String) throws(ComparisonError) -> [Place] {
            guard let member = try member(key, isOptional: false) else { return [] }
            guard let values = member.value.array else { throw member.expected("an array") }
            return values.enumerated().map { Place($1, "\(member.name)[\($0)]") }
        }

        func text(_ key: String, isOptional: Bool = false) throws(ComparisonError) {
            guard let member = try member(key, isOptional: isOptional) else { return }
            guard member.value.string != nil else { throw member.expected("a string") }
        }

        func bool(_ key: String, isOptional: Bool = false) throws(ComparisonError) {
            guard let member = try member(key, isOptional: isOptional) else { return }
            guard member.value.bool != nil else { throw member.expected("a Boolean") }
        }

        func number(
            _ key: String, in range: ClosedRange<Double>, isOptional: Bool = false
        ) throws(ComparisonError) {
            guard let member = try member(key, isOptional: isOptional) else { return }
            guard let number = member.value.double else { throw member.expected("a number") }
            guard range.contains(number) else { throw member.outside(range, number) }
        }

        /// Requests a second: none, or so many that a ratio of two is a number.
        func rate(_ key: String, isOptional: Bool = false) throws(ComparisonError) {
            guard let member = try member(key, isOptional: isOptional) else { return }
            guard let number = member.value.double else { throw member.expected("a number") }
            guard number == 0 || (1e-9...1e12).contains(number) else {
                throw member.outside(0...1e12, number)
            }
        }

        @discardableResult
        func whole(_ key: String, in range: ClosedRange<Int64>) throws(ComparisonError) -> Int64? {
            guard let member = try member(key, isOptional: false) else { return nil }
            guard let number = member.value.integer else { throw member.expected("a whole number") }
            guard range.contains(number) else { throw member.outside(range, number) }
            return number
        }

        /// The whole numbers of this list.
        func wholes(count: Int) throws(ComparisonError) -> [Int64] {
            let numbers = (value.array ?? []).compactMap(\.integer)
            guard numbers.count == count, value.array?.count == count else {
                throw damaged("must be an array of \(count) whole numbers")
            }
            return numbers
        }

        private func outside<Number>(
            _ range: ClosedRange<Number>, _ number: Number
        ) -> ComparisonError {
            damaged("must lie in \(range.lowerBound)...\(range.upperBound), not \(number)")
        }
    }
}
