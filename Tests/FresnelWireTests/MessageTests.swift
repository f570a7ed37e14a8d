import FresnelModel
import FresnelWire
import Testing

@Suite("Message")
struct MessageTests {
    @Test("F-1: every verb's message reads back as it was written", arguments: Verb.allCases)
    func roundTrip(verb: Verb) throws {
        let message = Samples.message(of: verb)
        let frames = message.frames()
        #expect(
            frames.count == 1 + (verb.rules.control == nil ? 0 : 1)
                + (verb.rules.payload == .never ? 0 : 1))
        #expect(try Message(frames: frames) == message)
        #expect(message.command.verb == verb)
    }

    @Test("F-2: the bytes of every verb are those of version 1", arguments: Verb.allCases)
    func golden(verb: Verb) throws {
        let frames = Samples.message(of: verb).frames()
        let text = frames.map(\.hexadecimal).joined(separator: "--\n")
        try Golden.expect(text, in: "\(verb).hex")
    }

    @Test("F-3: one empty frame is a probe and nothing else")
    func probe() {
        #expect(throws: WireError.probe) { try Message(frames: [[]]) }
        #expect(throws: WireError.frameCount(0)) { try Message(frames: []) }
    }

    @Test(
        "F-4: a message has one to three frames, and those that its flags announce",
        arguments: Verb.allCases)
    func shape(verb: Verb) {
        let frames = Samples.message(of: verb).frames()
        #expect(throws: WireError.self) { try Message(frames: frames + [[1]]) }
        #expect(throws: WireError.frameCount(4)) {
            try Message(frames: frames + [[], [], []].prefix(4 - frames.count))
        }
        #expect(throws: WireError.self) { try Message(frames: frames.dropLast() + []) }
        for flags in UInt8(0)...3 where flags != frames[0][5] {
            var changed = frames
            changed[0][5] = flags
            #expect(throws: WireError.self) { try Message(frames: changed) }
        }
    }

    @Test(
        "F-5: a frame above its limit is refused before it is parsed",
        arguments: Verb.allCases.filter { $0.rules.control != nil })
    func sizes(verb: Verb) throws {
        let limit = try #require(verb.rules.control?.limitBytes)
        var frames = Samples.message(of: verb).frames()
        // Nonsense: that the size is what is reported shows that nothing was parsed.
        frames[1] = [UInt8](repeating: 0xFF, count: limit + 1)
        #expect(throws: WireError.tooLarge(.controlFrame, bytes: limit + 1, limit: limit)) {
            try Message(frames: frames)
        }
        let payloadLimit = WireLimits.standard.payloadBytes(of: verb)
        guard payloadLimit > 0 else { return }
        frames[2] = [UInt8](repeating: 0xFF, count: payloadLimit + 1)
        frames[1] = []
        let error = WireError.tooLarge(.payloadFrame, bytes: payloadLimit + 1, limit: payloadLimit)
        #expect(throws: error) { try Message(frames: frames) }
    }

    @Test("F-6: a payload that says nothing may be left out, where the verb allows it")
    func absentPayload() throws {
        let put = Message(Samples.envelope, .put(WirePut()))
        #expect(put.frames().count == 2)
        #expect(try Message(frames: put.frames()).payload == nil)
        let found = Message(Samples.envelope, .found(WireFound()))
        #expect(found.frames().count == 3)
        #expect(try Message(frames: found.frames()).payload == [])
    }

    @Test(
        "F-7: damaged frames give errors or messages, never a crash",
        arguments: 1...300 as ClosedRange<UInt64>)
    func fuzz(seed: UInt64) {
        var chance = Chance(seed: seed)
        for sample in Samples.messages {
            var frames = sample.frames()
            for _ in 0..<3 {
                let damaged = chance.below(frames.count)
                frames[damaged] = chance.damaged(frames[damaged])
            }
            check(frames)
            check((0..<chance.below(5)).map { _ in chance.bytes(60) })
        }
    }

    /// What reads as a message must be written as one that reads alike.
    private func check(_ frames: [[UInt8]]) {
        guard let message = try? Message(frames: frames) else { return }
        #expect((try? Message(frames: message.frames())) != nil)
    }

    @Test("F-8: a control frame that is no Protocol Buffers message names its verb")
    func control() {
        var frames = Samples.message(of: .hello).frames()
        frames[1] = [0x0B]
        let error = #expect(throws: WireError.self) { try Message(frames: frames) }
        #expect(error.map { "\($0)".contains("HELLO") } == true)
        frames[1] = [0x22, 0x02, 0xC3, 0x28]
        let text = #expect(throws: WireError.self) { try Message(frames: frames) }
        #expect(text == .control(.hello, reason: "a text is not UTF-8"))
    }
}
