/// Takes what comes several at once one by one.
struct SinglyTaken<Element> {
    private let more: () async throws(SearchError) -> [Element]?
    private var batch: [Element] = []
    private var position = 0

    /// - Parameter more: the next elements, maybe none; nil after the last.
    init(_ more: @escaping () async throws(SearchError) -> [Element]?) {
        self.more = more
    }

    /// The next element; nil after the last.
    mutating func next() async throws(SearchError) -> Element? {
        while position == batch.count {
            guard let next = try await more() else { return nil }
            batch = next
            position = 0
        }
        position += 1
        return batch[position - 1]
    }
}
