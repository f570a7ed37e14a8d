/// Messages that were read and not yet taken, oldest first.
struct Inbox {
    private var waiting: [Reception] = []
    private var first = 0

    var isEmpty: Bool { first == waiting.count }

    /// Adds what came of a peer; commands are not for those who receive.
    mutating func append(_ arrival: FrameReader.Arrival, from routingID: [UInt8]) {
        switch arrival {
        case .command: break
        case .message(let frames):
            waiting.append(.message(ReceivedMessage(routingID: routingID, frames: frames)))
        case .oversized(let count):
            waiting.append(
                .oversized(
                    OversizedMessage(routingID: routingID, userID: nil, frameCount: count)))
        }
    }

    mutating func popFirst() -> Reception? {
        guard first < waiting.count else { return nil }
        let reception = waiting[first]
        first += 1
        if first == waiting.count {
            waiting.removeAll(keepingCapacity: true)
            first = 0
        }
        return reception
    }
}
