import FresnelWire
import ZeroMQ

/// A peer that speaks ZeroMQ, but says what no client or worker would.
enum Stranger {
    /// Sends message after message to an endpoint, each a list of frames.
    static func send(_ messages: [[[UInt8]]], to endpoint: String) throws {
        let context = try Context.shared(seed: 1)
        let socket = try Socket(.dealer(for: .control), in: context)
        try socket.connect(Endpoint(endpoint))
        for frames in messages where try socket.waitForRoom(upTo: .seconds(2)) {
            _ = try socket.send(frames.map { FrameBytes.array($0) })
        }
        // Until something comes back, or nothing does: then all has been read.
        _ = try socket.waitForMessage(upTo: .milliseconds(200))
    }

    /// Messages between noise and nearly right.
    static func messages(seed: UInt64) -> [[[UInt8]]] {
        var chance = SplitMix(state: seed)
        var messages: [[[UInt8]]] = [
            [[]], [[], []], [[0]], Array(repeating: [1, 2, 3], count: 40),
            [chance.bytes(32), chance.bytes(10)], [chance.bytes(31)],
            [chance.bytes(32), chance.bytes(200_000)],
        ]
        for verb in Verb.allCases {
            let shapes: [Header.Flags] = [[], [.control], [.payload], [.control, .payload]]
            let headers = shapes.map { Header(verb: verb, flags: $0, envelope: Envelope()).bytes }
            messages += [[headers[0]], [headers[0], []], [headers[1], []]]
            messages += [[headers[1], chance.bytes(40)], [headers[2], chance.bytes(40)]]
            messages.append([headers[3], chance.bytes(40), chance.bytes(500)])
        }
        for _ in 0..<200 {
            var hello = WireHello()
            hello.maximumMajor = UInt32(Header.major)
            hello.role = chance.next() % 2 == 0 ? .client : .worker
            hello.name = "stranger"
            var frames = Message(Envelope(), .hello(hello)).frames()
            let frame = Int(chance.next() % UInt64(frames.count))
            guard !frames[frame].isEmpty else { continue }
            let place = Int(chance.next() % UInt64(frames[frame].count))
            frames[frame][place] ^= 1 << (chance.next() % 8)
            messages.append(frames)
        }
        return messages
    }
}
