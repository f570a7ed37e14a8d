// Failures and acknowledgements that fit their frames.

extension WireFailure {
    /// The failure with every text in at most 2 KiB: together they fit the smallest frame.
    var shortened: WireFailure {
        var copy = self
        copy.message = message.shortened(to: 2048)
        copy.expected = expected.shortened(to: 2048)
        copy.found = found.shortened(to: 2048)
        copy.hint = hint.shortened(to: 2048)
        return copy
    }

    /// What is said where a list of refusals does not fit even without its texts.
    fileprivate static func unlisted(_ refusals: Int) -> WireFailure {
        var failure = WireFailure()
        failure.code = ErrorCode.tooLarge.number
        failure.message =
            "\(refusals) refusals do not fit one acknowledgement; send smaller batches"
        return failure
    }
}

extension [WireItemResult] {
    /// The refusals with texts cut evenly to `limit` bytes; nil when they do not fit without any.
    fileprivate func shortened(to limit: Int) -> [WireItemResult]? {
        // Position, code, tags and lengths of one refusal are at most 28 bytes.
        let share = limit / Swift.max(1, count) - 28
        guard share >= 0 else { return nil }
        return map { refusal in
            var copy = refusal
            copy.message = refusal.message.shortened(to: share)
            return copy
        }
    }
}

extension WirePartAck {
    func shortened(to limit: Int) -> WirePartAck {
        var copy = self
        if hasError { copy.error = error.shortened }
        copy.refusals = refusals.shortened(to: limit - failureBytes) ?? []
        if copy.refusals.count < refusals.count { copy.error = .unlisted(refusals.count) }
        return copy
    }
}

extension WirePutAck {
    func shortened(to limit: Int) -> WirePutAck {
        var copy = self
        if hasError { copy.error = error.shortened }
        copy.refusals = refusals.shortened(to: limit - failureBytes) ?? []
        if copy.refusals.count < refusals.count { copy.error = .unlisted(refusals.count) }
        return copy
    }
}

/// Room that an acknowledgement keeps beside its refusals, for a shortened failure and its counts.
private let failureBytes = 12 << 10
