import FresnelWire

extension [WorkerEffect] {
    /// The effects with last hits folded into the PART_DONE behind them, as they are best sent
    /// (Documentation/protocol.md, Q-70).
    package var folded: [WorkerEffect] {
        guard count > 1, case .send(let end, let lane)? = last, end.verb == .partDone else {
            return self
        }
        for place in indices.dropLast().reversed() {
            switch self[place] {
            case .forget: continue
            case .send(let hits, _):
                guard let message = hits.folded(into: end) else { return self }
                var folded: [WorkerEffect] = []
                folded.reserveCapacity(count - 1)
                folded += self[..<place]
                folded += self[(place + 1)..<(count - 1)]
                folded.append(.send(message, lane: lane))
                return folded
            default: return self
            }
        }
        return self
    }
}
