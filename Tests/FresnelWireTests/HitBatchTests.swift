import FresnelModel
import FresnelWire
import Testing

@Suite("Hit batch")
struct HitBatchTests {
    @Test("B-1: keys and bodies read back, in order", arguments: 0...60 as ClosedRange<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        let hits = (0..<Int(seed)).map { _ in (key: chance.bytes(20), body: chance.bytes(80)) }
        var writer = HitBatchWriter()
        for hit in hits { writer.append(key: hit.key, body: hit.body) }
        let bytes = writer.bytes()
        #expect(bytes.count == writer.byteCount)
        let costs = hits.map { HitBatchWriter.overheadPerHit + $0.key.count + $0.body.count }
        #expect(bytes.count == 8 + costs.reduce(0, +))
        let reader = try HitBatchReader(bytes)
        #expect(reader.count == hits.count)
        for (position, hit) in hits.enumerated() {
            #expect(Array(reader.key(position)) == hit.key)
            #expect(Array(reader.body(position)) == hit.body)
        }
    }

    @Test(
        "B-2: a hit keeps index, score and document, and its identity is read without decoding",
        arguments: [nil, 0, -0.0, 1.5, .leastNonzeroMagnitude] as [Double?])
    func body(score: Double?) throws {
        var chance = Chance(seed: 7)
        let document = chance.document(identifier: "the-identifier")
        let hit = HitBody(
            index: "catalogue", score: score, document: DocumentCoding.encode(document))
        let bytes = hit.encode()
        let back = try HitBody(bytes)
        #expect(back == hit)
        #expect(back.score?.bitPattern == score?.bitPattern)
        #expect(try back.decodeDocument() == document)
        let decoded = try DecodedHit(bytes)
        #expect(decoded.document == document && decoded.index == "catalogue")
        #expect(decoded.score?.bitPattern == score?.bitPattern)
        let identity = try HitBody.identity(of: [1, 2, 3] + bytes, in: 3..<bytes.count + 3)
        #expect(identity.identifier == Array("the-identifier".utf8))
        #expect(identity.score?.bitPattern == score?.bitPattern)
    }

    @Test(
        "B-3: damaged batches give errors or batches, never a crash",
        arguments: 1...400 as ClosedRange<UInt64>)
    func fuzz(seed: UInt64) {
        var chance = Chance(seed: seed)
        var writer = HitBatchWriter()
        for _ in 0..<chance.below(5) {
            let document = DocumentCoding.encode(chance.document())
            let hit = HitBody(index: "i", score: 1, document: document)
            writer.append(key: chance.bytes(9), body: hit.encode())
        }
        var bytes = writer.bytes()
        for _ in 0..<20 {
            bytes = chance.damaged(bytes)
            guard let reader = try? HitBatchReader(bytes) else { continue }
            for position in 0..<reader.count {
                _ = reader.key(position)
                let range = reader.bodyRange(position)
                let body = try? HitBody(bytes, in: range)
                let document = try? body?.decodeDocument()
                let decoded = try? DecodedHit(bytes, in: range)
                #expect(decoded?.document == document)
                guard let decoded, let body else { continue }
                #expect(decoded.index == body.index && decoded.highlights == body.highlights)
                #expect(decoded.explanation == body.explanation)
                #expect(decoded.score?.bitPattern == body.score?.bitPattern)
                _ = try? HitBody.identity(of: bytes, in: reader.bodyRange(position))
            }
        }
    }

    @Test(
        "B-4: a batch whose lengths do not fill it exactly is refused",
        arguments: [
            [0x46, 0x48, 0x42, 2, 0, 0, 0, 0],
            [0x46, 0x48, 0x42, 1, 0xFF, 0xFF, 0xFF, 0xFF],
            [0x46, 0x48, 0x42, 1, 0, 0, 0, 0, 7],
            [0x46, 0x48, 0x42, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 7],
            [0x46, 0x48, 0x42, 1, 1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0],
        ] as [[UInt8]])
    func refusal(bytes: [UInt8]) {
        #expect(throws: WireError.self) { try HitBatchReader(bytes) }
    }
}
