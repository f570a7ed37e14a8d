import FresnelModel
import FresnelWire
import Testing

@Suite("Messages that would not fit")
struct ShorteningTests {
    private static let text = String(repeating: "ä€😀 ", count: 20_000)

    @Test(
        "V-1: the largest message of every verb that a broker or worker sends fits its frames",
        arguments: Verb.allCases.filter { verb in
            verb.rules.control != nil
                && !verb.rules.routes.isDisjoint(
                    with: [.brokerToClient, .brokerToWorker, .workerToBroker])
        })
    func fits(verb: Verb) throws {
        let command = try #require(Largest.command(of: verb, text: Self.text))
        #expect(command.verb == verb)
        let frames = Message(Samples.envelope, command).frames()
        let read = try Message(frames: frames)
        #expect(read.command.verb == verb)
    }

    @Test("A failure keeps the beginning of its text, and says that it was cut")
    func failures() throws {
        guard case .error(let failure) = try sent(.error(Largest.failure(Self.text))) else {
            return
        }
        #expect(failure.message.hasPrefix("ä€😀 ä€😀") && failure.message.hasSuffix("(shortened)"))
        #expect(failure.code == 500)
    }

    @Test("Thousands of refusals with long texts are all listed; more than fit are an error")
    func refusals() throws {
        guard case .putAck(let listed) = try sent(.putAck(Largest.putAck(5000, Self.text))),
            case .putAck(let unlisted) = try sent(.putAck(Largest.putAck(20_000, Self.text)))
        else {
            Issue.record("an acknowledgement became another verb")
            return
        }
        #expect(listed.refusals.map(\.position) == Array(0..<5000) && !listed.hasError)
        #expect(unlisted.refusals.isEmpty)
        #expect(unlisted.error.code == ErrorCode.tooLarge.number)
    }

    @Test("A completion that is too long keeps what failed and says how much it left out")
    func completions() throws {
        guard case .done(let done) = try sent(.done(Largest.done(30_000, Self.text))) else {
            return
        }
        #expect(done.status == "incomplete" && done.found == 7)
        #expect(done.shards.contains { $0.status == .failed })
        #expect(done.shards.filter { $0.status == .failed }.count == 100)
        #expect(done.warnings.last?.message.contains("left out") == true)
    }

    @Test("A status that is too long counts what it left out; ASSIGN goes without custom keys")
    func administration() throws {
        guard case .statusReply(let reply) = try sent(.statusReply(Largest.status)),
            case .assign(let assign) = try sent(.assign(Largest.assign))
        else { return }
        #expect(reply.indexes.count == 64 && reply.workers.count > 100)
        #expect(reply.counters.contains { $0.name == "leftOutShards" && $0.value > 0 })
        #expect(assign.indexes.count == 64)
        #expect(assign.indexes.allSatisfy { $0.shards.count == 1024 && $0.customKeys.isEmpty })
    }

    @Test("What fits is sent as it is", arguments: Verb.allCases)
    func untouched(verb: Verb) throws {
        let message = Samples.message(of: verb)
        #expect(message.command.overflow == nil && message.command.fitted == message.command)
    }

    @Test(
        "Numbers that are none are refused in what brokers and workers send",
        arguments: [Double.nan, .infinity])
    func numbers(number: Double) throws {
        var subquery = WireSubquery()
        subquery.search.context.now = number
        var part = WirePutPart()
        part.stampedAt = number
        var assign = WireAssign()
        assign.indexes = [
            Samples.made(WireIndexAssignment()) { $0.defaultExpirationSeconds = number }
        ]
        for command in [
            Command.subquery(subquery), .statistics(subquery), .putPart(part), .assign(assign),
        ] {
            let error = #expect(throws: WireError.self) {
                try Message(frames: Message(Samples.envelope, command).frames())
            }
            #expect(error?.code == .invalidArgument)
        }
    }

    private func sent(_ command: Command) throws -> Command {
        try Message(frames: Message(Samples.envelope, command).frames()).command
    }
}
