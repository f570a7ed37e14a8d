extension SocketSpecification {
    /// Refuses specifications that libzmq would take but that cannot mean what they say.
    package func validate(ioThreads: Int) throws(ZeroMQError) {
        try validateLimits()
        try validateDurations()
        try require(
            ioThreads >= 64 || ioThreadMask >> UInt64(ioThreads) == 0,
            "the I/O thread mask names threads beyond the \(ioThreads) of the context")
        try require(
            !probesRouter || kind == .dealer, "only a DEALER may probe, not a \(kind)")
        if case .curveServer(_, let domain) = security {
            try require(
                !domain.isEmpty,
                "a CURVE server needs an authentication domain: without one anybody gets in")
            try require(
                domain.utf8.count <= 255, "an authentication domain has at most 255 bytes")
        }
    }

    private func validateLimits() throws(ZeroMQError) {
        try require(
            sendQueueMessages >= 1 && receiveQueueMessages >= 1,
            "queues need room for one message; 0 would mean no limit")
        try require(
            sendQueueMessages <= Self.largest && receiveQueueMessages <= Self.largest,
            "queues hold at most \(Self.largest) messages")
        try require(
            (1...Self.largest).contains(maximumFrameBytes),
            "a frame has 1 to \(Self.largest) bytes")
        try require(maximumFrames >= 1, "a message has at least one frame")
        try require((1...65_535).contains(backlog), "the backlog is from 1 to 65535")
        if let keepAlive {
            try require(
                keepAlive.idleSeconds >= 1 && keepAlive.intervalSeconds >= 1
                    && keepAlive.count >= 1,
                "all three numbers of the keep-alive are at least 1")
        }
    }

    private func validateDurations() throws(ZeroMQError) {
        try require(linger >= .zero, "endless linger would keep the process from ending")
        try require(
            handshakeTimeout >= .milliseconds(1) && connectTimeout >= .milliseconds(1),
            "time limits are at least a millisecond; 0 would mean none")
        try require(
            reconnect.first >= .milliseconds(1) && reconnect.longest >= reconnect.first,
            "the longest reconnect delay is below the first")
        try require(
            (retransmissionTimeout ?? .seconds(1)) >= .milliseconds(1),
            "the retransmission timeout is at least a millisecond")
        if let heartbeat {
            try require(
                heartbeat.interval >= .milliseconds(1)
                    && heartbeat.timeout >= heartbeat.interval,
                "the heartbeat times out before the next one is sent")
            try require(
                heartbeat.timeToLive >= .milliseconds(100)
                    && heartbeat.timeToLive.milliseconds % 100 == 0
                    && heartbeat.timeToLive <= .milliseconds(6_553_500),
                "the time to live counts in tenths of a second, from 1 to 65535")
        }
        let longest = [
            linger, handshakeTimeout, connectTimeout, reconnect.longest,
            retransmissionTimeout ?? .zero, heartbeat?.interval ?? .zero,
            heartbeat?.timeout ?? .zero,
        ]
        try require(
            longest.allSatisfy { $0 <= .seconds(86_400) }, "no time limit is above a day")
    }

    /// Above this libzmq's own 32-bit sums could overflow.
    private static let largest = 1 << 30

    private func require(_ condition: Bool, _ sentence: String) throws(ZeroMQError) {
        guard condition else { throw .invalidSpecification(sentence) }
    }
}

extension Duration {
    /// Whole milliseconds, rounded up, so that a wait never ends before its time.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        if overflow { return seconds < 0 ? .min : .max }
        let rest = attoseconds / 1_000_000_000_000_000
        let isRounded = attoseconds > 0 && attoseconds % 1_000_000_000_000_000 != 0
        return scaled.addingReportingOverflow(rest + (isRounded ? 1 : 0)).partialValue
    }

    /// The same as libzmq takes it, capped far above all limits.
    var milliseconds32: Int32 { Int32(clamping: milliseconds) }
}
