import FresnelKernels
import FresnelSystem

/// The packed documents of a new segment.
struct StoredBlockContents {
    private(set) var firstDocuments: [UInt32] = [0]
    private(set) var lengths: [UInt32] = []
    private(set) var offsets: [UInt32] = [0]
    private(set) var dictionary: [UInt8] = []
    private(set) var blob: [UInt8] = []

    /// zstd's; higher levels take ten times as long for a tenth less.
    private static let level: Int32 = 3
    /// A dictionary has at most one of so many bytes of the documents.
    private static let dictionaryShare = 64
    /// It is learnt from so many times its own length of them.
    private static let sampleShare = 20

    /// - Returns: nil when a document is too large for a block.
    init?(_ documents: StringArena) {
        guard cut(documents) else { return nil }
        dictionary = learnt(documents)
        let compressor = BlockCompressor(dictionary: dictionary, level: Self.level)
        var block: [UInt8] = []
        var yieldPace = YieldPace()
        for number in lengths.indices {
            yieldPace.step()
            fill(&block, number, documents)
            compressor.append(block, to: &blob)
            offsets.append(UInt32(truncatingIfNeeded: blob.count))
        }
    }

    /// Cuts the documents into blocks, each as small as it can be from the least length on.
    private mutating func cut(_ documents: StringArena) -> Bool {
        var bytes = 0
        for document in 0..<documents.count {
            let length = documents.range(document).count
            bytes += length + Self.varintCount(length)
            guard bytes >= SegmentFormat.storeBlockBytes || document == documents.count - 1
            else { continue }
            guard bytes <= SegmentFormat.storeBlockLimit else { return false }
            firstDocuments.append(UInt32(document + 1))
            lengths.append(UInt32(bytes))
            bytes = 0
        }
        return true
    }

    /// Replaces `block` by the bytes of a block.
    private func fill(_ block: inout [UInt8], _ number: Int, _ documents: StringArena) {
        block.removeAll(keepingCapacity: true)
        let places = Int(firstDocuments[number])..<Int(firstDocuments[number + 1])
        for place in places {
            LEB128Gaps.append(UInt32(documents.range(place).count), to: &block)
        }
        let start = documents.range(places.lowerBound).lowerBound
        let end = documents.range(places.upperBound - 1).upperBound
        block.append(copying: documents.bytes.span.extracting(start..<end))
    }

    /// Learns from blocks evenly spread over all.
    private func learnt(_ documents: StringArena) -> [UInt8] {
        let capacity = min(
            SegmentFormat.dictionaryBytes, documents.bytes.count / Self.dictionaryShare)
        guard capacity >= 1024 else { return [] }
        let wanted = capacity * Self.sampleShare
        let count = min(lengths.count, max(8, wanted / SegmentFormat.storeBlockBytes))
        var samples: [UInt8] = []
        var sampleLengths: [Int] = []
        var block: [UInt8] = []
        for sample in 0..<count where samples.count < 2 * wanted {
            fill(&block, sample * lengths.count / count, documents)
            samples += block
            sampleLengths.append(block.count)
        }
        return BlockCompression.dictionary(
            of: samples, lengths: sampleLengths, capacity: capacity)
    }

    private static func varintCount(_ value: Int) -> Int {
        (max(1, UInt64(value).bitWidth - UInt64(value).leadingZeroBitCount) + 6) / 7
    }

    func write(to writer: inout SectionWriter) {
        writer.number(lengths.count)
        writer.array(firstDocuments)
        writer.array(lengths)
        writer.array(offsets)
        writer.number(dictionary.count)
        writer.array(dictionary)
        writer.number(blob.count)
        writer.array(blob)
    }
}
