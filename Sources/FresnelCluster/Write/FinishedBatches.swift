import FresnelModel
import FresnelWire

/// The answers to the newest finished batches, a bounded number of them.
struct FinishedBatches: Sendable {
    private var answers: [BatchKey: WirePutAck] = [:]
    private var order: [BatchKey] = []

    subscript(key: BatchKey) -> WirePutAck? { answers[key] }

    mutating func remember(_ answer: WirePutAck, for key: BatchKey) {
        if answers.updateValue(answer, forKey: key) == nil { order.append(key) }
        guard order.count > Limits.finishedBatches else { return }
        // Half at once, so that forgetting costs little per batch.
        for key in order.prefix(order.count / 2) { answers[key] = nil }
        order.removeFirst(order.count / 2)
    }

    /// What was told of an index counts no more.
    mutating func forget(index: String) {
        order.removeAll { $0.index == index }
        answers = answers.filter { $0.key.index != index }
    }
}
