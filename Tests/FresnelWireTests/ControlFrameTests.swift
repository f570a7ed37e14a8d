import FresnelWire
import SwiftProtobuf
import Testing

@Suite("Control frames")
struct ControlFrameTests {
    @Test("F-2: they are written as Protocol Buffers' own library writes them")
    func bytes() throws {
        for message in Samples.messages {
            guard let body = message.command.body else { continue }
            let expected: [UInt8] = try body.serializedBytes()
            #expect(message.command.controlBytes == expected)
        }
    }

    @Test("F-2: also nested, long, negative and unknown fields")
    func corners() throws {
        var done = Samples.done
        done.nextBytes = [UInt8](repeating: 7, count: 300)
        done.shards[0].message = String(repeating: "ä", count: 9_000)
        done.shards += Array(repeating: done.shards[0], count: 3)
        done.error = Samples.failure
        done.error.code = -2002
        done.facets = [WireFacetCounts()]
        for kind in 0..<3 {
            var value = WireFacetValue()
            switch kind {
            case 0: value.text = ""
            case 1: value.number = -0.5
            default: value.date = 1e300
            }
            value.folded = "x"
            value.count = .max
            done.facets[0].values.append(value)
        }
        var counts = WireStatistics()
        counts.leafDocuments = [0, 127, 128, .max]
        counts.sequences = Array(0..<200)
        // Fields 200 and 3 of other types: unknown to STATISTICS_REPLY.
        let strange = try WireStatistics(serializedBytes: [0xC0, 0x0C, 0x01, 0x08, 0x05])
        for command: Command in [
            .done(done), .statisticsReply(counts), .statisticsReply(strange), .credit(WireCredit()),
        ] {
            let expected: [UInt8]? = try command.body?.serializedBytes()
            #expect(command.controlBytes == expected)
        }
    }
}
