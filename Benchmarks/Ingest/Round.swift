import FresnelJSON
import FresnelSystem

/// What one round measured: one cluster, from its first batch to its last query.
struct Round: Sendable {
    /// Times of batches that came one by one.
    var batches = Latencies()
    /// Documents a second while a part was written that nothing was measured with.
    var loadedRate = 0.0
    /// Documents a second at full rate.
    var fullRate = 0.0
    /// The answers of each measurement by class, in the order in which they were measured.
    var measurements: [(name: String, answers: [String: Answers])] = []
}

extension Round {
    /// As it is kept: one line of JSON.
    var json: JSONValue {
        var told = JSONObject()
        told["batches"] = batches.json
        told["loadedRate"] = .number(loadedRate)
        told["fullRate"] = .number(fullRate)
        told["measurements"] = .array(
            measurements.map { name, answers in
                .array([.string(name), Answers.json(answers)])
            })
        return .object(told)
    }

    /// Reads a line that was kept; nil for what is none.
    init?(_ json: JSONValue) {
        guard let kept = json.object, let batches = kept["batches"],
            let loadedRate = kept["loadedRate"]?.double, let fullRate = kept["fullRate"]?.double,
            let measurements = kept["measurements"]?.array
        else { return nil }
        self.batches = Latencies(batches)
        self.loadedRate = loadedRate
        self.fullRate = fullRate
        for measurement in measurements {
            guard let pair = measurement.array, pair.count == 2, let name = pair[0].string
            else { return nil }
            self.measurements.append((name, Answers.byClass(pair[1])))
        }
    }
}

/// Several rounds as one: a hundredth of one round's queries is one query, or none.
struct Rounds: CustomStringConvertible {
    /// In the order in which they were measured.
    let rounds: [Round]

    /// Rates of each round, times of the batches and answers of all.
    var description: String {
        func rates(_ choose: (Round) -> Double) -> String {
            rounds.map { "\(Int(choose($0)))" }.joined(separator: ", ")
        }
        var batches = Latencies()
        var table = AnswerTable()
        for round in rounds { batches += round.batches }
        for (place, measurement) in (rounds.first?.measurements ?? []).enumerated() {
            var answers: [String: Answers] = [:]
            for round in rounds where place < round.measurements.count {
                answers.merge(round.measurements[place].answers) { Answers.all([$0, $1]) }
            }
            table.add(measurement.name, answers)
        }
        return """
            documents a second, loaded: \(rates(\.loadedRate)); at full rate: \(rates(\.fullRate))
            batches one by one, from sending to searchable: \(batches)
            \(table)
            """
    }
}
