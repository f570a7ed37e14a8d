/// How one class was served.
struct Served {
    /// Answers a second.
    let rate: Double
    let timings: Timings
    /// Answers with another count or another number of hits than expected, and one of them.
    let wrong: Int
    /// The share that the broker told without asking a worker.
    let kept: Double
    let complaint: String?
    let spent: ClusterProcesses.Times

    /// A line of the table.
    ///
    /// - Parameters:
    ///   - floor: bare messages of the same fan-out a second, before and after.
    ///   - echo: those that go no further than the broker; nil where workers are asked.
    func row(
        _ name: String, floor: Double?, echo: Double?, peer: ServedPeers.Best?
    ) -> String {
        let count = Double(max(1, timings.count))
        var cells = [
            Self.pad(name, 5, isLeft: true), Self.pad("\(Int(rate))", 8),
            Self.pad("\(Int(timings.microseconds(atShare: 0.5)))", 8),
            Self.pad("\(Int(timings.microseconds(atShare: 0.99)))", 8),
        ]
        cells += [spent.broker, spent.workers, spent.client].map {
            Self.pad("\(Int(Double($0) / 1000 / count))", 8)
        }
        cells.append(Self.pad("\(Int((kept * 100).rounded()))", 7))
        cells.append(" |" + Self.pad(floor.map { Self.ratio(rate, $0) } ?? "", 9))
        if let echo { cells.append(Self.pad(Self.ratio(rate, echo), 6)) }
        if let peer {
            let times = "\(Self.ratio(rate, peer.rate)) times \(Int(peer.rate))"
            let condition = peer.isOfOneClient ? " with one client" : ""
            let p99 = "its p99\(condition) \(Int(peer.p99)) µs"
            cells.append(" | \(times), \(p99) (\(peer.peer))")
        }
        return cells.joined()
    }

    private static func ratio(_ ours: Double, _ other: Double) -> String {
        let hundredths = Int((ours / other * 100).rounded())
        let rest = String(hundredths % 100)
        return "\(hundredths / 100)." + (rest.count == 1 ? "0" : "") + rest
    }

    private static func pad(_ text: String, _ width: Int, isLeft: Bool = false) -> String {
        let space = String(repeating: " ", count: max(0, width - text.count))
        return isLeft ? text + space : space + text
    }
}
