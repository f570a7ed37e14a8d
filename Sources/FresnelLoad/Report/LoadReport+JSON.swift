package import FresnelJSON
import Histogram

// The report as JSON (Documentation/load-testing.md, "The report as JSON").

extension LoadReport {
    /// The whole report, latencies in microseconds.
    package var json: JSONValue {
        var object = JSONObject()
        object["format"] = .integer(Self.format)
        object["valid"] = .bool(isValid)
        object["headline"] = .string(ReportSentence.of(self))
        object["objective"] =
            standing.map { standing in
                [
                    "bounds": .string(standing.bounds), "verdict": .string(standing.mark.rawValue),
                    "text": .string(standing.text),
                ]
            } ?? .null
        object["interruption"] = interruption.map { .string($0) } ?? .null
        object["remarks"] = .array((remarks + warnings).map { .string($0) })
        object["setting"] = setting.json
        object["saturation"] = saturation.map { .number($0) } ?? .null
        object["saturationLimit"] =
            limit?.isLimited == true ? .string("the generator") : .null
        object["scaling"] = scaling?.json ?? .null
        object["measurements"] = .array(measurements.map(\.json))
        return .object(object)
    }
}

extension LoadReport.Setting {
    var json: JSONValue {
        [
            "began": .string(began), "endpoint": .string(endpoint), "workload": .string(workload),
            "seed": .string(String(seed)), "version": .string(version),
            "commit": commit.map { .string($0) } ?? .null, "host": .string(host),
            "processors": .integer(Int64(processors)), "processes": .integer(Int64(processes)),
            "connections": .integer(Int64(connections)), "workers": .integer(Int64(workers)),
            "shards": .integer(Int64(shards)), "documents": .integer(Int64(clamping: documents)),
            "plan": .string(plan), "objective": objective.map { .string($0) } ?? .null,
            "keptAnswers": keptAnswers.map { .integer(Int64($0)) } ?? .null,
            "copies": copies.map { .integer(Int64($0)) } ?? .null,
            "processorModel": processorModel.map { .string($0) } ?? .null,
        ]
    }
}

extension LoadReport.Measurement {
    var json: JSONValue {
        [
            "label": .string(label), "plannedRate": plannedRate.map { .number($0) } ?? .null,
            "loops": loops.map { .integer(Int64($0)) } ?? .null, "seconds": .number(seconds),
            "elapsedSeconds": .number(elapsedSeconds), "complete": .bool(!isCutShort),
            "cutOff": .integer(Int64(contents.cutOff)),
            "purpose": .string(purpose.rawValue), "goodput": .number(goodput),
            "complaints": .array(complaints.map { .string($0) }),
            "remarks": .array(remarks.map { .string($0) }),
            "verdict": verdict.map { .string($0.text) } ?? .null,
            "total": total.json, "classes": .array(contents.classes.map(\.json)),
            "timeline": contents.timeline.json(of: plannedSeconds),
            "generator": contents.health.json,
            "comparedAnswers": .integer(Int64(contents.answers.compared)),
            "matchedAnswers": .integer(Int64(contents.matched)),
            "shards": .array(
                contents.shards.sorted { $0.key < $1.key }.map { $0.value.json(of: $0.key) }),
            "memory": contents.memory.json,
        ]
    }
}

extension ClassTally {
    var json: JSONValue {
        var moments = JSONObject()
        for moment in Moment.allCases {
            guard let latencies = self.moments[moment] else { continue }
            moments[moment.rawValue] = latencies.json
        }
        return [
            "name": .string(name), "requests": .integer(Int64(count)),
            "good": .integer(Int64(good)), "failures": .number(failures),
            "found": .integer(Int64(clamping: found)), "kept": .integer(Int64(kept)),
            "keptShare": keptShare.map { .number($0) } ?? .null, "moments": .object(moments),
            "outcomes": Self.counts(outcomes.map { ($0.key.title, $0.value) }),
            "shardFaults": Self.counts(shardFaults.map { ($0.key, $0.value) }),
        ]
    }

    private static func counts(_ pairs: [(String, Int)]) -> JSONValue {
        var object = JSONObject()
        for (key, count) in pairs.sorted(by: { $0.0 < $1.0 }) {
            object[key] = .integer(Int64(count))
        }
        return .object(object)
    }
}

extension LatencySummary {
    /// Percentiles that tables show.
    package static let shown: [(name: String, percentile: Double)] = [
        ("p50", 50), ("p90", 90), ("p99", 99), ("p99.9", 99.9),
    ]

    /// The figures, and the values recorded with their counts, from which all others follow.
    var json: JSONValue {
        var object = JSONObject()
        object["count"] = .integer(Int64(count))
        object["mean"] = .number(mean)
        for (name, percentile) in Self.shown {
            object[name] = known(at: percentile).map { .integer(Int64($0)) } ?? .null
        }
        object["max"] = .integer(Int64(largest))
        object["recorded"] = .array(
            histogram.recordedValues().map {
                .array([.integer(Int64($0.value)), .integer(Int64($0.count))])
            })
        return .object(object)
    }
}

extension GeneratorHealth {
    var json: JSONValue {
        [
            "requests": .integer(Int64(lateness.count)),
            "lateP50": .integer(Int64(lateness.value(at: 50))),
            "lateP99": .integer(Int64(lateness.value(at: 99))),
            "lateMax": .integer(Int64(lateness.largest)), "unsent": .integer(Int64(unsent)),
            "processors": .number(processors), "processes": .array(parts.map(\.json)),
            "losses": .array(losses.map { .string($0) }),
        ]
    }
}

extension ShardTally {
    func json(of place: ShardPlace) -> JSONValue {
        [
            "index": .string(place.index), "shard": .integer(Int64(place.shard)),
            "worker": place.worker.map { .string($0) } ?? .null, "whole": .integer(Int64(whole)),
            "missing": .integer(Int64(missing)), "documents": .integer(Int64(clamping: documents)),
            "queue": queue.json, "search": search.json,
        ]
    }
}

extension MemoryCourse {
    var json: JSONValue {
        var object = JSONObject()
        for (name, span) in spans.sorted(by: { $0.key < $1.key }) {
            object[name] = [
                "first": .integer(Int64(clamping: span.first)),
                "most": .integer(Int64(clamping: span.most)),
                "last": .integer(Int64(clamping: span.last)),
            ]
        }
        return .object(object)
    }
}

extension Timeline {
    fileprivate static func json(_ events: [Event]) -> JSONValue {
        .array(events.map { ["seconds": .number($0.seconds), "text": .string($0.text)] })
    }
}

extension Timeline.Step {
    /// Microseconds of one processor by worker.
    fileprivate var searchingJSON: JSONValue {
        var object = JSONObject()
        for (name, time) in searching.sorted(by: { $0.key < $1.key }) {
            object[name] = .integer(Int64(clamping: time))
        }
        return .object(object)
    }
}

extension Timeline {
    /// - Parameter seconds: how long requests were planned; the last stretch may be a part of one,
    ///   and what typing adds later is in stretches of no length.
    func json(of seconds: Double?) -> JSONValue {
        [
            "stepSeconds": .number(stepSeconds),
            "steps": .array(
                steps.enumerated().map { place, step in
                    [
                        "seconds": .number(self.seconds(of: place, planned: seconds)),
                        "planned": .integer(Int64(step.planned)),
                        "good": .integer(Int64(step.good)),
                        "failed": .integer(Int64(step.failed)),
                        "incomplete": .integer(Int64(step.incomplete)),
                        "cutOff": .integer(Int64(step.cutOff)),
                        "kept": .integer(Int64(step.kept)),
                        "p50": .integer(Int64(step.latency.value(at: 50))),
                        "p90": .integer(Int64(step.latency.value(at: 90))),
                        "max": .integer(Int64(step.latency.largest)),
                        "searching": step.searchingJSON,
                    ]
                }),
            "events": Self.json(events), "observed": Self.json(observed),
        ]
    }
}
