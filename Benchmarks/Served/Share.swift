/// What some clients saw while queries were counted.
struct Share: Sendable {
    private var times: [Int64] = []
    private var inTime = 0
    private var wrong = 0
    private var kept = 0
    private var complaint: String?

    /// Counts an answer that ended while queries are counted, whenever its question began: the rate
    /// is that of these.
    mutating func countInTime() { inTime += 1 }

    /// Counts an answer to a question that began while queries are counted, whenever it ended: the
    /// times are those of these, so that slow answers are not cut off.
    ///
    /// - Parameters:
    ///   - took: nanoseconds from the question to the end of the answer.
    ///   - isKept: whether the broker told it without asking a worker.
    ///   - complaint: what is wrong with it, if anything.
    mutating func count(took: Int64, isKept: Bool, complaint: String?) {
        times.append(took)
        if isKept { kept += 1 }
        guard let complaint else { return }
        wrong += 1
        self.complaint = complaint
    }

    /// What several saw together, and what the processes spent meanwhile.
    static func served(
        _ shares: [Share], seconds: Double, spent: ClusterProcesses.Times
    ) -> Served {
        let times = shares.flatMap(\.times)
        return Served(
            rate: Double(shares.reduce(0) { $0 + $1.inTime }) / seconds, timings: Timings(times),
            wrong: shares.reduce(0) { $0 + $1.wrong },
            kept: Double(shares.reduce(0) { $0 + $1.kept }) / Double(max(1, times.count)),
            complaint: shares.compactMap(\.complaint).first, spent: spent)
    }
}
