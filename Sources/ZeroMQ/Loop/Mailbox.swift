/// A bounded queue into a thread, filled by any other.
package final class Mailbox<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var isClosed = false
    }

    package let capacity: Int
    private let wakeUp: WakeUp
    private let state = Guarded(State())

    /// - Parameters:
    ///   - capacity: the most elements that may wait.
    ///   - wakeUp: of the thread that empties it.
    package init(capacity: Int, wakeUp: WakeUp) {
        precondition(capacity >= 1, "a mailbox for \(capacity) elements")
        self.capacity = capacity
        self.wakeUp = wakeUp
    }

    /// Adds an element; false when the mailbox is full or closed, and then it is not added.
    package func post(_ element: Element) -> Bool {
        let (isAdded, wasEmpty) = state.withLock { state in
            guard !state.isClosed, state.elements.count < capacity else { return (false, false) }
            state.elements.append(element)
            return (true, state.elements.count == 1)
        }
        // One signal for the first element: whoever takes it takes all that follow.
        if wasEmpty { wakeUp.signal() }
        return isAdded
    }

    /// Removes and returns everything, oldest first.
    package func takeAll() -> [Element] {
        state.withLock { state in
            var taken: [Element] = []
            swap(&taken, &state.elements)
            return taken
        }
    }

    /// Refuses everything from now on, and returns what was left.
    @discardableResult
    package func close() -> [Element] {
        state.withLock { state in
            state.isClosed = true
            var taken: [Element] = []
            swap(&taken, &state.elements)
            return taken
        }
    }
}
