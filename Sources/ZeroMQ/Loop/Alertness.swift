/// How a thread that answers at once looks again and again before it sleeps.
///
/// The next message of a peer in conversation finds the thread awake. That costs so much of a
/// processor which nobody else wants, once a message at most.
package struct Alertness: Sendable {
    /// How long after the last news.
    let duration: Duration
    /// Lets others have the processor for a moment, at this nanosecond of the monotonic clock.
    ///
    /// It returns the time after that, or nil where others want the processor for long, so that the
    /// thread had better sleep.
    let giveWay: @Sendable (Int64) -> Int64?

    /// - Parameters:
    ///   - duration: a few times what waking a sleeping thread takes.
    ///   - giveWay: what is done between two looks.
    package init(
        for duration: Duration = .microseconds(100),
        giveWay: @escaping @Sendable (Int64) -> Int64?
    ) {
        self.duration = duration
        self.giveWay = giveWay
    }
}
