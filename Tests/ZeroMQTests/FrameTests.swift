import Testing
import ZeroMQ

@Suite("Frames")
struct FrameTests {
    @Test(
        "Bytes of any length arrive as they were sent, copied or not",
        arguments: [0, 1, 29, 33, 1_023, 1_024, 1_025, 8_192, 1_000_000])
    func contents(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let pair = try Pair()
        #expect(try pair.send(.array(bytes)) == .sent)
        let frame = try pair.receive()
        #expect(frame.count == count)
        #expect(frame.copyBytes() == bytes)
        guard case .slice = frame else {
            #expect(count < FrameBytes.zeroCopyThresholdBytes)
            return
        }
        #expect(count >= FrameBytes.zeroCopyThresholdBytes)
    }

    @Test("A received frame outlives its socket, and a slice its frame")
    func outlivesSocket() throws {
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        let slice = try middleOfReceived(bytes)
        #expect(slice.copyBytes() == Array(bytes[1_000..<51_000]))
        #expect(slice.slice(10..<20).copyBytes() == Array(bytes[1_010..<1_020]))
        let sum = slice.withSpan { span in
            var sum = 0
            for index in span.indices { sum += Int(span[index]) }
            return sum
        }
        #expect(sum == bytes[1_000..<51_000].reduce(0) { $0 + Int($1) })
    }

    private func middleOfReceived(_ bytes: [UInt8]) throws -> FrameSlice {
        let pair = try Pair()
        #expect(try pair.send(.array(bytes)) == .sent)
        guard case .slice(let slice) = try pair.receive() else {
            throw Unexpected("a frame of \(bytes.count) bytes was copied")
        }
        return slice.frame.slice(1_000..<51_000)
    }

    @Test("A frame passed on without a copy lives until the last receiver lets go, and no longer")
    func passedOn() throws {
        let bytes = [UInt8](repeating: 9, count: 50_000)
        let first = try Pair()
        let second = try Pair()
        #expect(try first.send(.array(bytes)) == .sent)
        weak var original: Frame?
        do {
            guard case .slice(let slice) = try first.receive() else {
                throw Unexpected("a long frame was copied")
            }
            original = slice.frame
            #expect(try second.send(.slice(slice)) == .sent)
        }
        #expect(original != nil)
        do {
            let received = try second.receive()
            #expect(received.copyBytes() == bytes)
            #expect(original != nil)
        }
        #expect(original == nil)
    }

    @Test("A part of a frame can be sent by itself", arguments: [(0, 2_000), (500, 600), (7, 7)])
    func partSent(from start: Int, to end: Int) throws {
        let bytes = (0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 3) }
        let pair = try Pair()
        #expect(try pair.send(.array(bytes)) == .sent)
        guard case .slice(let slice) = try pair.receive() else {
            throw Unexpected("a long frame was copied")
        }
        #expect(try pair.send(.slice(slice.slice(start..<end))) == .sent)
        #expect(try pair.receive().copyBytes() == Array(bytes[start..<end]))
    }

    @Test("A message that nobody took releases its bytes")
    func refusedReleases() throws {
        let dealer = try Socket(.quiet(.dealer), in: try testContext())
        let pair = try Pair()
        #expect(try pair.send(.array([UInt8](repeating: 1, count: 2_000))) == .sent)
        weak var frame: Frame?
        do {
            guard case .slice(let slice) = try pair.receive() else {
                throw Unexpected("a long frame was copied")
            }
            frame = slice.frame
            #expect(try dealer.send([.slice(slice)]) == .wouldBlock)
        }
        #expect(frame == nil)
    }
}

/// Two connected sockets inside the process, where messages move by pointer.
final class Pair {
    private let left: Socket
    private let right: Socket

    init() throws {
        left = try Socket(.quiet(.pair), in: try testContext())
        right = try Socket(.quiet(.pair), in: try testContext())
        let endpoint = newInprocEndpoint()
        try left.bind(endpoint)
        try right.connect(endpoint)
    }

    func send(_ frame: FrameBytes) throws -> SendOutcome { try left.send([frame]) }

    func receive() throws -> FrameBytes {
        guard let message = try right.next() else { throw Unexpected("nothing arrived") }
        return message.frames[0]
    }
}

/// Why a test cannot go on.
struct Unexpected: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
