/// Learns which pieces of strings get a code, and packs strings with them (`SymbolCode`).
package struct SymbolLearning {
    /// The pieces, and their lengths.
    package private(set) var pieces: [UInt64] = []
    package private(set) var lengths: [UInt8] = []
    /// For each first byte the codes of its pieces, the longest first.
    private var codes = [[UInt8]](repeating: [], count: 256)

    /// Rounds in which pieces grow together.
    private static let rounds = 5
    /// The longest piece.
    private static let longest = 8

    /// A piece, or a byte that has none.
    private struct Piece: Hashable {
        var bytes: UInt64
        var length: Int

        /// Both pieces as one, as far as it goes.
        func joined(_ other: Piece) -> Piece {
            let length = min(SymbolLearning.longest, length + other.length)
            let bytes = bytes | other.bytes << UInt64(8 * self.length)
            return Piece(bytes: bytes & Self.mask(length), length: length)
        }

        static func mask(_ length: Int) -> UInt64 {
            length < 8 ? (1 << UInt64(8 * length)) - 1 : .max
        }
    }

    /// - Parameters:
    ///   - sample: strings like those that will be packed; some ten thousand are enough.
    ///   - pause: called some dozens of times a millisecond and more; a moment to let others go
    ///     first.
    package init(_ sample: [[UInt8]], pause: () -> Void = {}) {
        for _ in 0..<Self.rounds {
            var gains: [Piece: Int] = [:]
            for text in sample {
                count(text, &gains)
                pause()
            }
            // Whatever the order of the dictionary, the choice is the same.
            let best = gains.sorted { left, right in
                pause()
                if left.value != right.value { return left.value > right.value }
                return (left.key.length, left.key.bytes) > (right.key.length, right.key.bytes)
            }
            take(best.prefix(SymbolCode.limit).map(\.key))
        }
    }

    /// Takes pieces that were learnt before; nil where they are not such.
    package init?(pieces: [UInt64], lengths: [UInt8]) {
        guard pieces.count == lengths.count, pieces.count <= SymbolCode.limit else { return nil }
        var learnt: [Piece] = []
        for (bytes, length) in zip(pieces, lengths) {
            let count = Int(length)
            guard (1...Self.longest).contains(count), bytes & Piece.mask(count) == bytes else {
                return nil
            }
            learnt.append(Piece(bytes: bytes, length: count))
        }
        guard Set(learnt).count == learnt.count else { return nil }
        take(learnt)
    }

    /// Adds what pieces of a text, and pairs of neighbours, would save.
    private func count(_ text: [UInt8], _ gains: inout [Piece: Int]) {
        var former: Piece?
        var offset = 0
        while offset < text.count {
            let code = code(text.span, at: offset)
            let piece =
                code.map { Piece(bytes: pieces[Int($0)], length: Int(lengths[Int($0)])) }
                ?? Piece(bytes: UInt64(text[offset]), length: 1)
            gains[piece, default: 0] += piece.length
            if let joined = former?.joined(piece) { gains[joined, default: 0] += joined.length }
            former = piece
            offset += piece.length
        }
    }

    private mutating func take(_ best: [Piece]) {
        pieces = best.map(\.bytes)
        lengths = best.map { UInt8($0.length) }
        codes = [[UInt8]](repeating: [], count: 256)
        for (code, piece) in best.enumerated() {
            codes[Int(piece.bytes & 0xFF)].append(UInt8(code))
        }
        for first in codes.indices {
            codes[first].sort { (lengths[Int($0)], $1) > (lengths[Int($1)], $0) }
        }
    }

    /// The code of the longest piece that stands at an offset; nil for none.
    private func code(_ text: Span<UInt8>, at offset: Int) -> UInt8? {
        let candidates = codes[Int(text[offset])]
        guard !candidates.isEmpty else { return nil }
        var next: UInt64 = 0
        let count = min(Self.longest, text.count - offset)
        for place in 0..<count { next |= UInt64(text[offset + place]) << UInt64(8 * place) }
        for code in candidates {
            let length = Int(lengths[Int(code)])
            if length <= count, next & Piece.mask(length) == pieces[Int(code)] { return code }
        }
        return nil
    }

    /// Appends a string in codes.
    package func append(_ text: Span<UInt8>, to bytes: inout [UInt8]) {
        var offset = 0
        while offset < text.count {
            if let code = code(text, at: offset) {
                bytes.append(code)
                offset += Int(lengths[Int(code)])
            } else {
                bytes.append(SymbolCode.literal)
                bytes.append(text[offset])
                offset += 1
            }
        }
    }
}
