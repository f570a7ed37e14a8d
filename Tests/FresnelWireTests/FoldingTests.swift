import FresnelModel
import FresnelWire
import Testing

@Suite("Last hits and an end as one message")
struct FoldingTests {
    private var hits: Message {
        var envelope = Samples.envelope
        envelope.sequence = 7
        var found = Samples.found
        found.shards = []
        return Message(envelope, .found(found), payload: Samples.hitBatch)
    }

    private static func end(_ verb: Verb) -> Message {
        var envelope = Samples.envelope
        envelope.sequence = 0
        var command = Samples.message(of: verb).command
        if case .partDone(var done) = command {
            done.clearLast()
            command = .partDone(done)
        }
        if case .done(var done) = command {
            done.clearLast()
            command = .done(done)
        }
        return Message(envelope, command)
    }

    @Test("Q-70: A folded message is the two it stands for", arguments: [Verb.partDone, .done])
    func folded(verb: Verb) throws {
        let end = Self.end(verb)
        let folded = try #require(hits.folded(into: end))
        #expect(folded.command.verb == verb && folded.payload == hits.payload)
        let read = try Message(frames: folded.frames())
        let (first, last) = try #require(read.unfolded)
        #expect(first == hits && last == end)
        #expect(end.unfolded == nil && hits.unfolded == nil)
    }

    @Test(
        "Q-97: Names of Boolean keys are said once in a folded message, and are in both that it is")
    func booleans() throws {
        var (hits, end) = (hits, Self.end(.done))
        guard case .found(var found) = hits.command, case .done(var done) = end.command else {
            Issue.record("not FOUND and DONE")
            return
        }
        done.booleans = ["inStock"]
        end.command = .done(done)
        // Those of a FOUND before are said by the end alone.
        for names in [["inStock"], []] {
            found.booleans = names
            hits.command = .found(found)
            let folded = try #require(hits.folded(into: end))
            guard case .done(let both) = folded.command else { continue }
            #expect(both.booleans.count + both.last.booleans.count == 1)
            let (first, last) = try #require(try Message(frames: folded.frames()).unfolded)
            #expect(first == hits && last == end)
        }
    }

    @Test("Q-70: An end of another stream, a failed one and a folded one take no hits")
    func apart() throws {
        let done = Self.end(.partDone)
        for change in 0..<3 {
            var other = done
            switch change {
            case 0: other.envelope.id = .session
            case 1: other.envelope.part += 1
            default: other.envelope.attempt += 1
            }
            #expect(hits.folded(into: other) == nil)
        }
        guard case .partDone(var failed) = done.command else { return }
        failed.error = Samples.failure
        #expect(hits.folded(into: Message(done.envelope, .partDone(failed))) == nil)
        #expect(hits.folded(into: try #require(hits.folded(into: done))) == nil)
        #expect(done.folded(into: hits) == nil)
    }
}
