import FresnelModel

/// The heartbeat's three times, announced to every peer in WELCOME.
package struct Timers: Hashable, Sendable {
    /// A peer that was silent this long is asked for a sign of life.
    package var pingInterval: Duration
    /// A worker silent this long gets no new queries.
    package var suspectAfter: Duration
    /// A peer silent this long is gone.
    package var deadAfter: Duration

    /// One second, two and a half, five.
    package static let standard = Timers(
        pingInterval: .seconds(1), suspectAfter: .milliseconds(2500), deadAfter: .seconds(5))

    package init(pingInterval: Duration, suspectAfter: Duration, deadAfter: Duration) {
        self.pingInterval = pingInterval
        self.suspectAfter = suspectAfter
        self.deadAfter = deadAfter
    }
}
