import FresnelKernels
import Testing

/// Strings in codes, alone and in blocks.
@Suite("Codes of frequent pieces")
struct SymbolCodeTests {
    /// Names made of a few pieces, and some of any bytes.
    private static func texts(_ count: Int, seed: UInt64) -> [[UInt8]] {
        var generator = TestGenerator(seed: seed)
        let pieces = ["lib", "python", "-", "tensor", "net", "a", "0"].map { Array($0.utf8) }
        return (0..<count).map { number in
            guard number % 10 > 0 else {
                return generator.bytes(count: .random(in: 0...30, using: &generator))
            }
            return (0..<Int.random(in: 0...5, using: &generator)).flatMap { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &generator)]
            }
        }.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// A string, code by code: what the kernel stores eight bytes at a time.
    private static func plainly(_ codes: [UInt8], _ code: SymbolLearning) -> [UInt8] {
        var text: [UInt8] = []
        var offset = 0
        while offset < codes.count {
            let number = Int(codes[offset])
            if number < code.pieces.count {
                for place in 0..<Int(code.lengths[number]) {
                    text.append(
                        UInt8(truncatingIfNeeded: code.pieces[number] >> UInt64(8 * place)))
                }
            } else {
                offset += 1
                text.append(codes[offset])
            }
            offset += 1
        }
        return text
    }

    @Test("Strings come back, and those like the sample are shorter", arguments: [1, 2, 3])
    func strings(seed: UInt64) {
        let texts = Self.texts(600, seed: seed)
        let code = SymbolLearning(texts)
        var packed = 0
        for text in texts {
            var codes: [UInt8] = []
            code.append(text.span, to: &codes)
            #expect(Self.plainly(codes, code) == text)
            packed += codes.count
        }
        #expect(packed * 3 < texts.reduce(0) { $0 + $1.count } * 2)
        var pauses = 0
        #expect(SymbolLearning(texts) { pauses += 1 }.pieces == code.pieces)
        // In each round once for each text, and while pieces are sorted.
        #expect(pauses > 10 * texts.count)
        let again = SymbolLearning(pieces: code.pieces, lengths: code.lengths)
        #expect(again?.pieces == code.pieces)
        #expect(SymbolLearning(pieces: [1, 1], lengths: [1, 1]) == nil)
        #expect(SymbolLearning(pieces: [1], lengths: [9]) == nil)
        #expect(SymbolLearning(pieces: [256], lengths: [1]) == nil)
    }

    @Test("Blocks whose rests are in codes are those whose rests are not", arguments: [1, 17, 600])
    func blocks(count: Int) {
        let texts = Self.texts(count, seed: UInt64(count))
        let code = SymbolLearning(texts)
        var writer = PrefixBlockWriter(code: code)
        for text in texts { writer.append(text.span) }
        writer.finish()
        #expect(writer.isPossible)
        let table = PrefixBlocks(
            starts: writer.starts.span, blob: writer.blob.span, count: count,
            pieces: code.pieces.span, lengths: code.lengths.span)
        for (index, text) in texts.enumerated() {
            let found = table.withText(index) { [UInt8](copying: $0) }
            #expect(found == text)
            let bound = table.lowerBound(text.span)
            #expect(bound == texts.firstIndex(of: text))
            var (key, plain) = (OrderedKey(), OrderedKey())
            table.withText(index) { _ = key.append(span: $0) }
            plain.append(bytes: text, descending: false)
            #expect(key == plain)
        }
    }

    @Test("Damaged codes give other strings, none longer than both parts can be")
    func damage() {
        let texts = Self.texts(40, seed: 8)
        let code = SymbolLearning(texts)
        var writer = PrefixBlockWriter(code: code)
        for text in texts { writer.append(text.span) }
        writer.finish()
        var lengths = code.lengths
        lengths[0] = 255
        for offset in writer.blob.indices {
            for value: UInt8 in [0, 1, 0x7F, 0xFF] {
                var blob = writer.blob
                blob[offset] = value
                let table = PrefixBlocks(
                    starts: writer.starts.span, blob: blob.span, count: texts.count,
                    pieces: code.pieces.span, lengths: lengths.span)
                for index in texts.indices {
                    #expect(table.withText(index) { $0.count } <= 510)
                }
            }
        }
    }
}

extension PrefixBlocks {
    /// What `body` makes of a string.
    func withText<Answer>(_ index: Int, _ body: (Span<UInt8>) -> Answer) -> Answer {
        var answer: Answer?
        withText(index) { (text: Span<UInt8>) -> Void in answer = body(text) }
        guard let answer else { preconditionFailure("string \(index) was not read") }
        return answer
    }
}
