import FresnelJSON

extension ScalingReport {
    /// As it stands in the report.
    var json: JSONValue {
        [
            "measure": .string(measure.rawValue), "processors": .integer(Int64(processors)),
            "points": .array(
                points.map { point in
                    [
                        "workers": .integer(Int64(point.workers)),
                        "documents": .integer(Int64(clamping: point.documents)),
                        "throughput": point.throughput.map { .number($0) } ?? .null,
                        "limited": .bool(point.isLimited),
                        "p50": Self.known(point.latency, 50), "p99": Self.known(point.latency, 99),
                    ]
                }),
            "laws": .array(
                laws.map { law in
                    [
                        "documents": .integer(Int64(clamping: law.documents)),
                        "single": .number(law.law.single),
                        "contention": .number(law.law.contention),
                        "coherency": .number(law.law.coherency),
                        "limit": law.limit.map { .number($0) } ?? .null,
                        "sentences": .array(law.sentences.map { .string($0) }),
                    ]
                }),
            "remarks": .array(remarks.map { .string($0) }),
            "simulation": simulation?.json ?? .null,
        ]
    }

    private static func known(_ latency: LatencySummary, _ percentile: Double) -> JSONValue {
        latency.known(at: percentile).map { .integer(Int64($0)) } ?? .null
    }
}

extension FanOutSimulation {
    /// As it stands in the report, labelled as what it is.
    var json: JSONValue {
        [
            "kind": "simulation", "measuredWorkers": .integer(Int64(measuredWorkers)),
            "samples": .integer(Int64(samples)),
            "mergeMicroseconds": .number(mergeMicroseconds), "text": .string(text),
            "points": .array(
                points.map {
                    [
                        "workers": .integer(Int64($0.workers)), "p50": .integer(Int64($0.p50)),
                        "p99": .integer(Int64($0.p99)),
                    ]
                }),
        ]
    }

    /// What was simulated, in words.
    package var text: String {
        "simulation, not measured: \(samples) answers of "
            + "\(Figure.count(measuredWorkers, "worker")) drawn anew, "
            + "the slowest of n workers decides, and each further worker costs the broker "
            + "\(Figure.plain(mergeMicroseconds)) µs; each worker holds as many documents as one "
            + "of the measured and has its own processors"
    }
}
