import FresnelKernels
import FresnelSystem

/// The posting lists of a new packed segment (`PackedListTable`).
struct PackedListContents {
    private(set) var masks: [UInt64] = []
    private(set) var counts: [UInt8] = []
    private(set) var codes: [UInt64] = []
    private(set) var starts: [UInt32] = []
    private let singles: SingleListContents
    /// All lists, the single ones included.
    private let count: Int
    private(set) var otherPlaces: [UInt32] = []
    private(set) var otherMasks: [UInt64] = []
    private(set) var longPlaces: [UInt32] = []
    private(set) var longCounts: [UInt32] = []
    private(set) var longBlocks: [UInt32] = [0]
    private(set) var lastDocuments: [UInt32] = []
    private(set) var blockOffsets: [UInt32] = []

    init(_ lists: PostingWriter) {
        singles = lists.singles
        count = lists.documentCounts.count
        var places: [UInt64: UInt8] = [:]
        var single = 0
        var yieldPace = YieldPace()
        for (list, count) in lists.documentCounts.enumerated() {
            yieldPace.step(every: 128)
            if single < singles.lists.count, singles.lists[single] == list {
                single += 1
                continue
            }
            let place = UInt32(counts.count)
            let mask = lists.masks[list]
            if places[mask] == nil, masks.count < PackedListTable.maskLimit {
                places[mask] = UInt8(masks.count)
                masks.append(mask)
            }
            if places[mask] == nil {
                otherPlaces.append(place)
                otherMasks.append(mask)
            }
            let code = UInt64(places[mask] ?? PackedListTable.other)
            codes.append(code << 1 | (lists.isSimple[list] ? 1 : 0))
            let first = Int(lists.firstBlocks[list])
            starts.append(lists.blockOffsets[first])
            guard count > 128 else {
                counts.append(UInt8(count))
                continue
            }
            counts.append(PackedListTable.long)
            longPlaces.append(place)
            longCounts.append(count)
            let end = Int(lists.firstBlocks[list + 1])
            lastDocuments += lists.lastDocuments[first..<end]
            blockOffsets += lists.blockOffsets[first..<end]
            longBlocks.append(UInt32(lastDocuments.count))
        }
        starts.append(UInt32(truncatingIfNeeded: Self.paddedCount(of: lists.blob)))
    }

    /// - Parameter documents: how many the segment has.
    func writeLists(documents: Int, to writer: inout SectionWriter) {
        singles.write(count: count, documents: documents, to: &writer)
        writer.number(masks.count)
        writer.array(masks)
        writer.array(counts)
        let width = NarrowNumbers.width(of: codes.max() ?? 0)
        writer.number(width)
        writer.array(NarrowNumbers.words(codes, width: width))
        FramedOffsetContents(starts).write(to: &writer)
        writer.number(otherPlaces.count)
        writer.array(otherPlaces)
        writer.array(otherMasks)
        writer.number(longCounts.count)
        writer.array(longPlaces)
        writer.array(longCounts)
        writer.array(longBlocks)
    }

    /// The blocks of long lists, and all bytes, with those that must follow a run of bits.
    func writeBlocks(_ bytes: [UInt8], to writer: inout SectionWriter) {
        let blob = Self.padded(bytes)
        writer.number(lastDocuments.count)
        writer.array(lastDocuments)
        writer.array(blockOffsets + [UInt32(truncatingIfNeeded: blob.count)])
        writer.number(blob.count)
        writer.array(blob)
    }

    private static func paddedCount(of bytes: [UInt8]) -> Int {
        bytes.isEmpty ? 0 : bytes.count + BitRuns.padding
    }

    /// The bytes of blocks, if there are any, with those that must follow a run of bits.
    static func padded(_ bytes: [UInt8]) -> [UInt8] {
        bytes.isEmpty ? [] : bytes + [UInt8](repeating: 0, count: BitRuns.padding)
    }
}
