/// The answers of several measurements, class by class, beside those of queries alone.
struct AnswerTable: CustomStringConvertible {
    private var measurements: [(name: String, answers: [String: Answers])] = []

    mutating func add(_ name: String, _ answers: [String: Answers]) {
        measurements.append((name, answers))
    }

    /// A row for each class and one for all, and where the slowest spent their time.
    ///
    /// The ratios are to the greater of the times alone: before with fewer documents, and after.
    var description: String {
        let names = Set(measurements.flatMap(\.answers.keys))
            .sorted { ($0.count, $0) < ($1.count, $1) }
        var lines = ["ms p50 / p99 (× of alone)"]
        lines.append(
            Self.row("class", measurements.map(\.name)))
        for name in names { lines.append(row(name) { $0[name] ?? Answers() }) }
        lines.append(row("all") { Answers.all(Array($0.values)) })
        for (name, answers) in measurements {
            let slowest = Answers.all(Array(answers.values)).slowest
            lines.append(
                "\(name), slowest hundredth: \(Self.text(slowest.whole)) ms, of which broker "
                    + "\(Self.text(slowest.broker)), queue \(Self.text(slowest.queue)), work "
                    + "\(Self.text(slowest.work)), wire \(Self.text(slowest.wire))")
        }
        return lines.joined(separator: "\n")
    }

    private func row(_ name: String, of choose: ([String: Answers]) -> Answers) -> String {
        let columns = measurements.map { choose($0.answers) }
        let alone = zip(measurements, columns).filter { $0.0.name.hasPrefix("alone") }.map(\.1)
        func cell(_ answers: Answers, _ share: Double) -> String {
            let base = alone.map { $0.percentile(share) }.max() ?? 0
            let time = answers.percentile(share)
            return "\(Self.text(time)) (\(base > 0 ? Self.text(time / base) : "-"))"
        }
        return Self.row(
            name,
            columns.map { $0.count == 0 ? "-" : "\(cell($0, 0.5)) / \(cell($0, 0.99))" })
    }

    private static func row(_ name: String, _ cells: [String]) -> String {
        func padded(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(1, width - text.count))
        }
        return padded(name, 7) + cells.map { padded($0, 30) }.joined()
    }

    private static func text(_ number: Double) -> String {
        number < 10 ? "\(Double(Int(number * 100)) / 100)" : "\(Int(number))"
    }
}
