/// Connections that wait for their turn, first come, first served.
struct Line {
    private var waiting: [DirectConnection] = []
    private var first = 0

    var isEmpty: Bool { first == waiting.count }

    mutating func append(_ connection: DirectConnection) { waiting.append(connection) }

    mutating func popFirst() -> DirectConnection? {
        guard first < waiting.count else { return nil }
        let connection = waiting[first]
        first += 1
        if first == waiting.count || first > 1_024 {
            waiting.removeFirst(first)
            first = 0
        }
        return connection
    }
}
