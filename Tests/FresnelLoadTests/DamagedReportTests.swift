import FresnelJSON
import FresnelModel
import FresnelSystem
import Testing

@testable import FresnelLoad

/// Reports that no load has written: they are refused with the place, and never end the program.
@Suite("Damaged reports")
struct DamagedReportTests {
    /// A report with all that a comparison reads.
    private var report: JSONValue {
        var contents = Recorder.Contents(classes: Workload.standard.classes, seconds: 10)
        for number in 0..<1500 {
            var record = RequestRecord(
                place: 0, planned: 0, sent: 0, ended: 5_000_000, outcome: .complete)
            record.moments = [(.completion, Int64(1 + number % 7) * 1_000_000)]
            record.isKept = number % 5 == 0
            contents.classes[0].take(record)
        }
        contents.health.wallNanoseconds = 10_000_000_000
        var report = LoadReport(
            setting: .init(
                began: "2026-01-01T00:00:00Z", endpoint: "tcp://127.0.0.1:1", workload: "mix",
                seed: 1, version: "fresnel", host: "here", processors: 2, workers: 2, shards: 6,
                documents: 10, plan: "saturation", objective: nil),
            measurements: [
                ("search 100/s", .search), ("overload 3", .overload), ("main", .figures),
            ].map { label, purpose in
                .init(
                    label: label, plannedRate: 100, plannedSeconds: 10, loops: nil,
                    contents: contents, purpose: purpose)
            }, saturation: 100)
        report.scaling = ScalingReport(
            [1, 2].map { workers in
                .init(
                    workers: workers, documents: 10, throughput: 100,
                    latency: contents.classes[0].completion, services: ServiceSamples())
            }, measure: .saturation, processors: 2, seed: 1)
        return report.json
    }

    /// All that compares and prints two reports.
    private func use(_ before: JSONValue, _ after: JSONValue) throws(ComparisonError) {
        let comparison = try Comparison(before, after)
        _ = comparison.isWorse(beyond: 0.05)
        for row in comparison.rows {
            for value in [row.before, row.after] {
                _ = row.isLatency ? Figure.time(UInt64(value)) : Figure.plain(value)
            }
            for bound in [row.ratio.lowerBound, row.ratio.upperBound] {
                #expect(bound.isFinite, "JSON has no other number: \(row)")
                _ = Figure.plain(bound)
            }
        }
    }

    private func error(of damaged: JSONValue) -> ComparisonError? {
        do throws(ComparisonError) {
            try use(report, damaged)
            return nil
        } catch {
            return error
        }
    }

    @Test("What cannot be is named with its place")
    func places() throws {
        #expect(error(of: report) == nil)
        let cases: [(place: String, value: String, words: String)] = [
            ("measurements[0].total.moments.completion.recorded", "[[-5,-3]]", "[0]: "),
            ("measurements[0].total.moments.completion.recorded", "[[100,-3]]", "[0]: "),
            ("measurements[0].total.moments.completion.recorded", "[[1e300,1e300]]", "[0]: "),
            (
                "measurements[1].total.moments.completion.recorded",
                "[[1,1],[2,9223372036854775807],[3,9223372036854775807]]", "[1]: "
            ),
            ("measurements[1].total.moments.completion.recorded", "[[2,1],[1,1]]", "[1]: "),
            ("measurements[2].total.moments.completion.recorded", "[[9223372036854775807,1]]", ""),
            ("measurements[2].total.moments.completion.recorded", "[[1]]", "2 whole numbers"),
            ("measurements[2].total.moments.completion", "null", "is null"),
            ("measurements[2].total.moments.completion", "{}", ".count: is missing"),
            (
                "measurements[2].total.moments.completion.count", "3", "lie in 1500..."
            ),
            ("measurements[2].total", "null", "is null"),
            ("measurements[2].total.good", "-1", "not -1"),
            ("measurements[2].goodput", "1e-300", "1e-300"),
            ("measurements[2].label", "7", "must be a string, not a number"),
            ("measurements[0].plannedRate", "\"fast\"", "must be a number, not a string"),
            ("saturation", "-1", "not -1"), ("setting", "[]", "not an array"),
            ("scaling.points[1].workers", "0", "not 0"), ("valid", "null", "is null"),
        ]
        for (place, value, words) in cases {
            let damaged = try report.replacing(place, by: JSONValue(parsing: value))
            let text = try #require(error(of: damaged), "\(place): \(value)").description
            #expect(text.hasPrefix(place) && text.contains(words), "\(text)")
            #expect(text.contains("the file is damaged"))
        }
        #expect(error(of: report.replacing("format", by: 99)) == .notAReport)
        let place = "measurements[1].total.moments.completion"
        for recorded in ["[]", "[[7,1]]"] {
            let cut = try report.replacing(
                "\(place).recorded", by: JSONValue(parsing: recorded))
            let text = try #require(error(of: cut)).description
            #expect(text.hasPrefix("\(place): has ") && text.contains("counts 1500"), "\(text)")
        }
    }

    @Test("No damage of a real report ends the program", arguments: 0..<20 as Range<UInt64>)
    func fuzz(seed: UInt64) throws {
        var draws = SeededGenerator(seed: seed)
        let whole = report
        var refused = 0
        for _ in 0..<40 {
            var damaged = whole
            for _ in 0...draws.next() % 3 { damaged = damaged.damaged(by: &draws) }
            do throws(ComparisonError) {
                try use(whole, damaged)
                try use(damaged, whole)
                try use(damaged, damaged)
            } catch {
                refused += 1
            }
        }
        #expect(refused > 0, "something of it is noticed")
    }

    @Test("No damaged byte of a real report ends the program")
    func bytes() throws {
        var draws = SeededGenerator(seed: 1)
        let text = Array(report.serialized().utf8)
        let whole = report
        let other = Array("0123456789-.eE[]{},:\"nul".utf8)
        for _ in 0..<400 {
            var damaged = text
            let place = Int(draws.next() % UInt64(text.count))
            damaged[place] = other.randomElement(using: &draws) ?? 48
            // What is no JSON any more is no report.
            guard let value = try? JSONValue(parsing: damaged) else { continue }
            // Refused or compared: both are right, as long as it comes back.
            try? use(whole, value)
        }
    }
}

extension JSONValue {
    /// The same with the value at a place (`a.b[2].c`) replaced.
    fileprivate func replacing(_ place: String, by value: JSONValue) -> JSONValue {
        let steps = place.replacing("[", with: ".").replacing("]", with: "").split(separator: ".")
        return replacing(steps[...], by: value)
    }

    private func replacing(_ steps: ArraySlice<Substring>, by value: JSONValue) -> JSONValue {
        guard let step = steps.first else { return value }
        if var values = array, let place = Int(step) {
            values[place] = values[place].replacing(steps.dropFirst(), by: value)
            return .array(values)
        }
        var members = object ?? JSONObject()
        members[String(step)] = (self[String(step)] ?? .null)
            .replacing(steps.dropFirst(), by: value)
        return .object(members)
    }

    /// The same with one value in it replaced by another of any kind, or taken out.
    fileprivate func damaged(by draws: inout SeededGenerator) -> JSONValue {
        let isHere = draws.next() % 6 == 0
        if !isHere, var values = array, let place = values.indices.randomElement(using: &draws) {
            values[place] = values[place].damaged(by: &draws)
            return .array(values)
        }
        if !isHere, let members = object, let key = members.keys.randomElement(using: &draws) {
            var left = JSONObject()
            let isRemoved = draws.next() % 4 == 0
            for (name, value) in members where name != key || !isRemoved {
                left[name] = name == key ? value.damaged(by: &draws) : value
            }
            return .object(left)
        }
        let others: [JSONValue] = [
            .null, .bool(true), .integer(0), .integer(-3), .integer(.max), .integer(.min),
            .number(1e300), .number(-1e300), .number(.leastNonzeroMagnitude), .number(0.5),
            .string("x"),
            .array([]), .array([.array([1, .integer(.max)]), .array([2, .integer(.max)])]),
            .object(JSONObject()),
        ]
        return others.randomElement(using: &draws) ?? .null
    }
}
