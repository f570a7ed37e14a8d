import FresnelWire

extension [BrokerEffect] {
    /// The effects with last hits folded into the DONE right behind them, as they are best sent
    /// (Documentation/protocol.md, Q-70).
    package var folded: [BrokerEffect] {
        guard count > 1 else { return self }
        var folded: [BrokerEffect]?
        // From the end, so that places before it stay what they are.
        for place in indices.dropFirst().reversed() {
            guard case .send(let end, let address) = self[place], end.verb == .done,
                case .send(let hits, let other) = self[place - 1], address == other,
                let message = hits.folded(into: end)
            else { continue }
            var changed = folded ?? self
            changed[place] = .send(message, to: address)
            changed.remove(at: place - 1)
            folded = changed
        }
        return folded ?? self
    }
}
