/// A way to a loop that is made after those who will post to it: posts before `open` wait.
///
/// Order is kept: what waited is handed over before anything that is posted afterwards.
package final class Outlet<Mail: Sendable>: Sendable {
    private enum State: Sendable {
        case closed([Mail])
        case open(@Sendable (Mail) -> Bool)
    }

    private let state = Guarded(State.closed([]))

    /// Starts without anywhere to hand mail to.
    package init() {}

    /// Hands mail on, or keeps it until there is somewhere to hand it to.
    ///
    /// - Returns: false when the loop has ended or its mailbox is full: the mail is lost.
    @discardableResult
    package func post(_ mail: Mail) -> Bool {
        state.withLock { state in
            switch state {
            case .closed(let waiting):
                state = .closed(waiting + [mail])
                return true
            case .open(let target):
                return target(mail)
            }
        }
    }

    /// Names the loop and hands it what waited.
    package func open(_ target: @escaping @Sendable (Mail) -> Bool) {
        state.withLock { state in
            guard case .closed(let waiting) = state else { return }
            state = .open(target)
            for mail in waiting { _ = target(mail) }
        }
    }
}
