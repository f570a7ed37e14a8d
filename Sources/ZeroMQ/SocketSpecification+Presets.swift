extension SocketSpecification {
    /// What travels over a socket, which decides its limits.
    package enum Traffic: Hashable, Sendable, CaseIterable {
        /// Small messages that must never wait behind bulk.
        case control
        /// Batches and whatever must stay in order with them.
        case bulk
        /// Large chunks between two workers.
        case transfer
    }

    /// A socket that binds and talks to many peers.
    package static func router(for traffic: Traffic) -> SocketSpecification {
        var specification = SocketSpecification(.router).tuned(for: traffic)
        specification.needsConnection = false
        specification.backlog = traffic == .transfer ? 128 : 1_024
        return specification
    }

    /// A socket that connects to one router and announces itself there.
    package static func dealer(
        for traffic: Traffic, reconnecting reconnect: Reconnect = .eager
    ) -> SocketSpecification {
        var specification = SocketSpecification(.dealer).tuned(for: traffic)
        specification.probesRouter = traffic != .transfer
        specification.reconnect = traffic == .transfer ? .slow : reconnect
        return specification
    }

    /// The same with keys.
    package func secured(by security: Security) -> SocketSpecification {
        var copy = self
        copy.security = security
        return copy
    }

    private func tuned(for traffic: Traffic) -> SocketSpecification {
        var copy = self
        switch traffic {
        case .control:
            copy.sendQueueMessages = 1_000
            copy.receiveQueueMessages = 1_000
        case .bulk:
            // Above the largest sum of credit that one peer can hold, so never reached.
            copy.sendQueueMessages = 1_024
            copy.receiveQueueMessages = 1_024
        case .transfer:
            copy.sendQueueMessages = 64
            copy.receiveQueueMessages = 64
            copy.maximumFrameBytes = 4 << 20
            copy.heartbeat = Heartbeat(
                interval: .seconds(5), timeout: .seconds(30), timeToLive: .seconds(30))
            copy.retransmissionTimeout = .seconds(30)
        }
        return copy
    }
}
