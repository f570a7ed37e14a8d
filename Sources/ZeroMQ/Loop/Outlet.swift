import Synchronization

/// A way to a loop that is made after those who will post to it: posts before `open` wait.
package final class Outlet<Mail: Sendable>: Sendable {
    private enum State {
        case closed([Mail])
        case open(@Sendable (Mail) -> Bool)
    }

    private let state = Mutex(State.closed([]))

    /// Starts without anywhere to hand mail to.
    package init() {}

    /// Hands mail on, or keeps it until there is somewhere to hand it to.
    package func post(_ mail: Mail) {
        let target = state.withLock { state -> (@Sendable (Mail) -> Bool)? in
            switch state {
            case .closed(let waiting):
                state = .closed(waiting + [mail])
                return nil
            case .open(let target):
                return target
            }
        }
        _ = target?(mail)
    }

    /// Names the loop and hands it what waited.
    package func open(_ target: @escaping @Sendable (Mail) -> Bool) {
        let waiting = state.withLock { state -> [Mail] in
            guard case .closed(let waiting) = state else { return [] }
            state = .open(target)
            return waiting
        }
        for mail in waiting { _ = target(mail) }
    }
}
