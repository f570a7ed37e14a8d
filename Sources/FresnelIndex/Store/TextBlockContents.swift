import FresnelKernels
import FresnelSystem

/// Ascending byte strings of a new packed segment, in blocks.
struct TextBlockContents {
    private let blocks: PrefixBlockWriter
    /// What their rests are packed with; nil where that does not make them shorter.
    private let code: SymbolLearning?

    /// From how many of some strings a code is learnt: learning is a large part of writing a small
    /// segment, and a large one lasts.
    private static func sampleCount(of count: Int) -> Int { min(max(count / 32, 2_048), 16_384) }

    /// - Parameters:
    ///   - texts: the strings.
    ///   - order: the number of each of them, so that they ascend.
    /// - Returns: nil where one is too long for blocks.
    init?(_ texts: StringArena, order: some Collection<UInt32>) {
        let plain = Self.blocks(texts, order, code: nil)
        guard plain.isPossible else { return nil }
        var yieldPace = YieldPace()
        let code = SymbolLearning(Self.sample(of: plain, count: order.count)) {
            yieldPace.step(every: 64)
        }
        let coded = Self.blocks(texts, order, code: code)
        let tableBytes = 9 * code.pieces.count + 16
        // A table without pieces is one of rests as they are, which has other heads.
        let pays =
            !code.pieces.isEmpty && coded.isPossible
            && coded.blob.count + tableBytes < plain.blob.count
        blocks = pays ? coded : plain
        self.code = pays ? code : nil
    }

    /// Whether rests are in codes.
    var isCoded: Bool { code != nil }

    /// Writes the code, if there is one, and the blocks.
    func write(to writer: inout SectionWriter) {
        if let code {
            writer.number(code.pieces.count)
            writer.array(code.pieces)
            writer.array(code.lengths)
        }
        writer.array(blocks.starts)
        writer.number(blocks.blob.count)
        writer.array(blocks.blob)
    }

    private static func blocks(
        _ texts: StringArena, _ order: some Collection<UInt32>, code: SymbolLearning?
    ) -> PrefixBlockWriter {
        var blocks = PrefixBlockWriter(code: code)
        var yieldPace = YieldPace()
        for number in order {
            yieldPace.step(every: 32)
            blocks.append(texts[Int(number)])
        }
        blocks.finish()
        return blocks
    }

    /// What some strings, evenly spread, have behind their shared beginnings.
    private static func sample(of blocks: PrefixBlockWriter, count: Int) -> [[UInt8]] {
        let table = PrefixBlocks(
            starts: blocks.starts.span, blob: blocks.blob.span, count: count)
        // An odd step comes to every place of a block: numbered strings differ by their places.
        let step = count / sampleCount(of: count) | 1
        return stride(from: 0, to: count, by: step).compactMap { index in
            table.parts(index).map { Array(blocks.blob[$0.rest..<$0.rest + $0.restCount]) }
        }
    }
}
