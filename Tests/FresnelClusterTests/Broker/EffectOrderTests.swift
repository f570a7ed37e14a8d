import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("The order of effects")
struct EffectOrderTests {
    @Test("What a carried out effect leads to comes after everything that was due before")
    func effects() {
        var queue = EffectQueue<Int>()
        var carriedOut: [Int] = []
        // However many sends fail in a row, the stack does not grow.
        var depth = 0
        var deepest = 0
        func perform(_ effects: [Int]) {
            guard queue.add(effects) else { return }
            depth += 1
            deepest = max(deepest, depth)
            defer { depth -= 1 }
            while let effect = queue.next() {
                carriedOut.append(effect)
                // Each of the first leads to two more, as a send that fails does.
                if effect < 10 { perform([effect * 10, effect * 10 + 1]) }
            }
        }
        perform([])
        perform([1, 2, 3])
        #expect(carriedOut == [1, 2, 3, 10, 11, 20, 21, 30, 31])
        perform([40])
        #expect(carriedOut.last == 40 && deepest == 1)
    }

    private func message(_ number: UInt64) -> Message {
        Message(request(number), .done(WireDone()))
    }

    @Test("What waits for a full socket is sent in its order, and a new message waits behind it")
    func outbox() {
        var outbox = Outbox()
        let lane = address(1, .client, .data)
        var accepted: [Bool] = []
        for number in 0..<5 as Range<UInt64> {
            accepted.append(outbox.append(message(number), for: lane))
        }
        var sent: [UInt64] = []
        let first = outbox.flush(lane) { message in
            guard sent.count < 2 else { return .full }
            sent.append(message.envelope.id.low)
            return .sent
        }
        #expect(first == .full && outbox.isWaiting(for: lane))
        accepted.append(outbox.append(message(5), for: lane))
        #expect(accepted == [true, true, true, true, true, true])
        let second = outbox.flush(lane) { message in
            sent.append(message.envelope.id.low)
            return .sent
        }
        #expect(second == .sent && sent == [0, 1, 2, 3, 4, 5])
        #expect(outbox.isEmpty && outbox.byteCount(for: lane) == 0)
    }

    @Test("What waits is bounded in bytes, and forgotten with the peer")
    func bounds() {
        var outbox = Outbox(limitBytes: 100)
        let lane = address(1, .client, .data)
        var accepted: [Bool] = []
        for number in 0..<3 as Range<UInt64> {
            accepted.append(outbox.append(message(number), for: lane))
        }
        #expect(accepted == [true, true, false] && outbox.isEmpty)
        accepted.append(outbox.append(message(3), for: lane))
        let verdict = outbox.flush(lane) { _ in .gone }
        #expect(accepted.last == true && verdict == .gone)
        #expect(outbox.isEmpty)
    }
}
