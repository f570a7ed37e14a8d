import FresnelKernels
import FresnelSystem
import Synchronization

// Documents one behind the other, cut into blocks of about 2 KiB, each packed alone with a
// dictionary that the segment learnt from its own documents. A document costs the unpacking of its
// block, 3 µs; neighbours then cost nothing, since the last blocks are kept.

/// The packed documents of a segment.
final class StoredBlocks: Sendable {
    /// The first document of each block, and behind the last.
    let firstDocuments: PackedArray<UInt32>
    /// The unpacked bytes of each block.
    let lengths: PackedArray<UInt32>
    /// Where each block begins, and where the last ends.
    let offsets: PackedArray<UInt32>
    let dictionary: SharedBytes
    let blob: SharedBytes
    private let decompressor: BlockDecompressor
    /// The last blocks that were read, at the place of the low bits of their numbers.
    private let kept = Mutex([UnpackedBlock?](repeating: nil, count: keptBlocks))
    /// The sum of `lengths`, once somebody asked.
    private let length = Mutex<Int?>(nil)

    private static let keptBlocks = 16

    init(_ bytes: SectionReader, documentCount: Int) throws(SegmentError) {
        var reader = bytes
        let count = try reader.count(limit: documentCount)
        firstDocuments = try reader.array(count: count + 1)
        lengths = try reader.array(count: count)
        offsets = try reader.array(count: count + 1)
        let dictionaryLength = try reader.count(limit: SegmentFormat.dictionaryBytes)
        dictionary = try reader.blob(count: dictionaryLength)
        let blobLength = try reader.count()
        blob = try reader.blob(count: blobLength)
        try reader.requireEnd()
        let learnt = dictionary
        guard let decompressor = BlockDecompressor(dictionary: learnt.bytes) else {
            throw reader.broken("its dictionary can be used")
        }
        self.decompressor = decompressor
    }

    /// The number of blocks.
    var count: Int { lengths.count }

    /// The unpacked bytes of all blocks.
    var unpackedByteCount: Int {
        length.withLock { length in
            if let length { return length }
            let sum = (0..<count).reduce(0) { $0 + Int(lengths[$1]) }
            length = sum
            return sum
        }
    }

    /// The block with a document; nil where it cannot be unpacked, which checksums exclude.
    func block(with document: DocumentNumber) -> UnpackedBlock? {
        let number = number(ofBlockWith: document)
        let slot = number & (Self.keptBlocks - 1)
        if let block = kept.withLock({ $0[slot] }), block.number == number { return block }
        guard let block = unpacked(number) else { return nil }
        kept.withLock { $0[slot] = block }
        return block
    }

    /// Unpacks a block; nil when it is damaged.
    func unpacked(_ number: Int) -> UnpackedBlock? {
        guard number < count, Int(lengths[number]) <= SegmentFormat.storeBlockLimit else {
            return nil
        }
        let blob = blob
        let packed = blob.bytes.extracting(offsets.range(number, limit: blob.count))
        let (first, end) = (firstDocuments[number], firstDocuments[number + 1])
        guard first < end,
            let bytes = decompressor.unpacked(packed, count: Int(lengths[number]))
        else { return nil }
        return UnpackedBlock(number, bytes, first: first, count: Int(end - first))
    }

    private func number(ofBlockWith document: DocumentNumber) -> Int {
        var low = 0
        var high = count
        while low + 1 < high {
            let middle = low + (high - low) / 2
            if firstDocuments[middle] <= document { low = middle } else { high = middle }
        }
        return low
    }
}

/// A block of documents: the length of each as LEB128, then the documents.
final class UnpackedBlock: Sendable {
    let number: Int
    let bytes: [UInt8]
    private let first: DocumentNumber
    /// Where each document begins, and where the last ends.
    private let starts: [UInt32]

    /// - Returns: nil when the lengths do not add up.
    init?(_ number: Int, _ bytes: [UInt8], first: DocumentNumber, count: Int) {
        guard count <= bytes.count else { return nil }
        var starts: [UInt32] = [0]
        starts.reserveCapacity(count + 1)
        var reader = SpanReader(bytes.span)
        do throws(KernelError) {
            for _ in 0..<count {
                let length = try reader.readVarint32()
                guard Int(length) <= bytes.count else { return nil }
                starts.append(starts[starts.count - 1] + length)
                guard Int(starts[starts.count - 1]) <= bytes.count else { return nil }
            }
        } catch {
            return nil
        }
        let base = UInt32(reader.offset)
        guard Int(base + starts[count]) == bytes.count else { return nil }
        for place in starts.indices { starts[place] += base }
        self.number = number
        self.bytes = bytes
        self.first = first
        self.starts = starts
    }

    /// Where a document lies in `bytes`; nothing when it is not in the block.
    func range(of document: DocumentNumber) -> Range<Int> {
        let place = Int(document) - Int(first)
        guard place >= 0, place + 1 < starts.count else { return 0..<0 }
        return Int(starts[place])..<Int(starts[place + 1])
    }
}
