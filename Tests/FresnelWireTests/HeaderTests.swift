import FresnelModel
import Testing

@testable import FresnelWire

@Suite("Header")
struct HeaderTests {
    @Test("H-1: a header is 48 bytes and reads back as it was written")
    func roundTrip() throws {
        let envelope = Envelope(
            id: RequestID(high: 1, low: 2), part: 3, sequence: 4, attempt: 5, epoch: Epoch(6),
            budget: .milliseconds(7))
        let header = Header(verb: .query, flags: .control, envelope: envelope)
        #expect(header.bytes.count == 48)
        #expect(try Header(header.bytes) == header)
    }
}
