import FresnelKernels
import FresnelSystem
import FresnelText

// What only packed segments have. Blocks are unpacked; what can be made again is made again.

extension SegmentVerifier {
    func verify(_ blocks: StoredBlocks) throws(SegmentError) {
        let section = Section(.storeBlocks)
        try requireOffsets(blocks.firstDocuments, limit: segment.documentCount, section)
        try requireOffsets(blocks.offsets, limit: blocks.blob.count, section)
        for number in 0..<blocks.count {
            try require(blocks.unpacked(number) != nil, section, "every block can be unpacked")
        }
    }

    /// Beginnings and irregular documents against the stored ones.
    func verifyBeginnings() throws(SegmentError) {
        guard let beginnings = segment.packedBeginnings else { return }
        try verifyDocuments(beginnings.others, Section(.beginnings))
        var bytes: [UInt8] = []
        for document in 0..<DocumentNumber(segment.documentCount) where beginnings.isKnown(document)
        {
            bytes.removeAll(keepingCapacity: true)
            segment.identifiers.withIdentifier(of: document) { identifier in
                let room = DocumentBeginnings.headBytes + identifier.count
                bytes.append(addingCapacity: room) { beginnings.append(identifier, to: &$0) }
            }
            let beginning = bytes
            let isRight = segment.stored.withEncoded(document) { stored in
                stored.count > beginning.count && beginning[2] == 0
                    && ByteOrder.hasPrefix(stored, beginning.span)
            }
            try require(isRight, Section(.beginnings), "documents begin as it says")
        }
        guard let irregular = segment.irregular else { return }
        try verifyDocuments(irregular, Section(.irregular))
        // Other characters were irregular for who wrote an older format.
        guard segment.isFoldedAsNow else { return }
        var next = 0
        for document in 0..<DocumentNumber(segment.documentCount) {
            if next < irregular.count, irregular[next] == document {
                next += 1
                continue
            }
            let occurs = segment.stored.withEncoded(document) { IrregularScalars.occur(in: $0) }
            try require(!occurs, Section(.irregular), "no irregular document is missing")
        }
    }

    func verifyFilter() throws(SegmentError) {
        let identifiers = segment.identifiers
        guard let filter = identifiers.filter else { return }
        let section = Section(identifiers.kind)
        let words = filter.words
        // Its writer chose the number of words, of which a reader needs to know nothing else.
        try require(
            (words.count > 0) == (segment.documentCount > 0)
                && words.count <= segment.documentCount + 1,
            section, "its filter has at most a word a document")
        let expected = IdentifierFilter.words(
            of: (0..<DocumentNumber(segment.documentCount)).map {
                identifiers.withIdentifier(of: $0) { Hash.checksum(of: $0) }
            }, wordCount: min(filter.wordCount, words.count))
        try require(
            expected.indices.allSatisfy { words[$0] == expected[$0] },
            section, "its filter is that of the identifiers")
    }

    /// Strings in blocks: made again of what can be read, they must be the same bytes.
    func verify(_ blocks: TextBlocks, _ section: Section) throws(SegmentError) {
        let isCoded = blocks.pieces.count > 0
        try requireOffsets(blocks.starts, limit: blocks.blob.count, section)
        var code: SymbolLearning?
        if isCoded {
            code = SymbolLearning(
                pieces: blocks.pieces.elements, lengths: blocks.lengths.elements)
            try require(code != nil, section, "pieces are different, and of one to eight bytes")
        }
        var expected = PrefixBlockWriter(code: code)
        let table = blocks.table
        for place in 0..<blocks.count {
            try require(table.parts(place) != nil, section, "every string can be read")
            table.withText(place) { expected.append($0) }
        }
        expected.finish()
        let blob = blocks.blob
        try require(
            expected.blob.count == blob.count
                && ByteOrder.compare(expected.blob.span, blob.bytes) == 0
                && expected.starts.indices.allSatisfy { expected.starts[$0] == blocks.starts[$0] },
            section, "blocks have once what their strings begin with")
    }

    func verify(_ numbers: FramedNumbers, _ section: Section) throws(SegmentError) {
        try requireOffsets(numbers.starts, limit: numbers.words.count, section)
        for frame in 0..<numbers.bases.count {
            let words = numbers.starts[frame + 1] - numbers.starts[frame]
            try require(
                words & 1 == 0 && words <= 128, section, "a frame has two words for each bit")
        }
    }

    /// Offsets in frames: made again of what can be read, they must be the same frames.
    func requireOffsets(
        _ offsets: FramedOffsets, limit: Int, _ section: Section
    ) throws(SegmentError) {
        try verify(offsets.numbers, section)
        var known: [UInt32] = []
        for index in 0..<offsets.count {
            let offset = offsets[index]
            try require(known.last ?? 0 <= offset, section, "offsets ascend")
            known.append(offset)
        }
        try require(
            known.first ?? 0 == 0 && Int(known.last ?? 0) == limit, section,
            "offsets begin at 0, and the last is the end")
        try require(
            FramedOffsetContents(known).isEqual(to: offsets), section,
            "frames are as narrow as their offsets allow")
    }

    private func verifyDocuments(
        _ documents: PackedArray<UInt32>, _ section: Section
    ) throws(SegmentError) {
        for index in 0..<documents.count {
            let isAscending = index == 0 || documents[index - 1] < documents[index]
            try require(
                isAscending && Int(documents[index]) < segment.documentCount, section,
                "its documents ascend and exist")
        }
    }
}

extension DocumentVersions {
    func verifyFrames(_ verifier: SegmentVerifier) throws(SegmentError) {
        guard case .framed(let created, let expirations) = form else { return }
        try verifier.verify(created, Section(.versionFrames))
        try verifier.verify(expirations, Section(.versionFrames))
    }
}
