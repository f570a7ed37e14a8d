package import FresnelSystem
import FresnelKernels

// What opening does not check, since it would touch every byte: that what the sections say is
// ordered, inside its bounds and consistent. A segment that passes is one the writer could have
// written; one that was damaged and given a fresh checksum, or written by a faulty program, does
// not.

/// Checks a whole segment: checksums, order, bounds, and that redundant parts agree.
package struct SegmentVerifier {
    let segment: Segment

    /// Verifies bytes, and that they have the name they go by.
    ///
    /// - Throws: the first fault found.
    package static func verify(
        _ bytes: SharedBytes, named name: SegmentName? = nil
    ) throws(SegmentError) {
        let segment = try Segment(bytes, check: .sections)
        let actual = SegmentName(of: bytes.bytes)
        if let name, name != actual { throw .misnamed(expected: name, actual: actual) }
        let verifier = SegmentVerifier(segment: segment)
        try verifier.verifyDocuments()
        try verifier.verifyBeginnings()
        try verifier.verifyIdentifiers()
        try verifier.verifyTerms()
        try verifier.verifyPostings()
        try verifier.verifyColumns()
        try verifier.verifyGrams()
        try verifier.verifyScoreTables()
    }

    /// Throws unless a rule holds in a section.
    func require(
        _ isKept: Bool, _ section: Section, _ rule: @autoclosure () -> String
    ) throws(SegmentError) {
        guard isKept else { throw .malformedSection(section, rule: rule()) }
    }

    func requireOffsets(
        _ offsets: PackedArray<UInt32>, limit: Int, _ section: Section
    ) throws(SegmentError) {
        guard offsets.count > 0 else { return }
        try require(offsets[0] == 0, section, "offsets begin at 0")
        for index in 1..<max(1, offsets.count) {
            try require(offsets[index - 1] <= offsets[index], section, "offsets ascend")
        }
        try require(
            Int(offsets[offsets.count - 1]) == limit, section, "the last offset is the end")
    }

    func requireStrings(_ strings: StringList, _ section: Section) throws(SegmentError) {
        guard let framed = strings.framed else {
            return try requireOffsets(strings.offsets, limit: strings.byteCount, section)
        }
        try requireOffsets(framed, limit: strings.byteCount, section)
    }
}

extension SegmentVerifier {
    private func verifyDocuments() throws(SegmentError) {
        let versions = segment.versions
        let section = Section(segment.packedBeginnings == nil ? .versions : .versionFrames)
        var (first, last, expiration) = (UInt64.max, UInt64(0), Double.infinity)
        try versions.verifyFrames(self)
        for document in 0..<DocumentNumber(segment.documentCount) {
            first = min(first, versions.createdSequence(of: document))
            last = max(last, versions.createdSequence(of: document))
            let end = versions.expiration(of: document)
            try require(!end.isNaN, section, "expirations are numbers")
            expiration = min(expiration, end)
        }
        if segment.documentCount == 0 { first = 0 }
        try require(
            versions.firstSequence == first && versions.lastSequence == last
                && versions.firstExpiration == expiration,
            section, "its bounds are those of the documents")
        switch segment.stored.form {
        case .plain(let documents): try requireStrings(documents, Section(.store))
        case .packed(let blocks): try verify(blocks)
        }
    }

    private func verifyIdentifiers() throws(SegmentError) {
        let identifiers = segment.identifiers
        let section = Section(identifiers.filter == nil ? .identifiers : identifiers.kind)
        try requireStrings(identifiers.texts, section)
        if let blocks = identifiers.blocks { try verify(blocks, Section(identifiers.kind)) }
        try verifyFilter()
        try verify(identifiers.orderFrames.numbers, section)
        try verify(identifiers.rankFrames.numbers, section)
        for place in 0..<UInt32(segment.documentCount) {
            let document = identifiers.document(atRank: place)
            try require(
                Int(document) < segment.documentCount
                    && identifiers.rank(of: document) == place,
                section, "order and ranks are inverse to each other")
            guard place > 0 else { continue }
            let former = identifiers.document(atRank: place - 1)
            let order = identifiers.withIdentifier(of: document) {
                identifiers.compare(former, $0)
            }
            try require(
                order < 0 || (order == 0 && former < document), section, "identifiers ascend")
        }
        for document in 0..<DocumentNumber(segment.documentCount) {
            let found = identifiers.withIdentifier(of: document) {
                identifiers.documents(withIdentifier: $0)
            }
            try require(found.contains(document), section, "every document is found")
        }
    }

    private func verifyTerms() throws(SegmentError) {
        let texts = segment.terms.texts
        // Before all keys are put together: blocks that overlap make any number of bytes of few.
        if let blocks = texts.blocks {
            try verify(blocks, Section(blocks.pieces.count > 0 ? .codedTerms : .blockTerms))
        }
        let flat = texts.flat
        try verifyTexts(flat, Section(.terms))
        let camel = segment.terms.camel
        let section = Section(.camel)
        for index in 0..<camel.count {
            let term = Int(camel.terms[index])
            try require(term < segment.terms.count, section, "its terms exist")
            let length = flat.keys[term].count
            let start = texts.blocks == nil ? flat.keys.range(term).lowerBound : 0
            let place = start..<start + length
            try require(
                Int(camel.starts[index]) >= place.lowerBound
                    && camel.starts[index] <= camel.ends[index]
                    && Int(camel.ends[index]) == place.upperBound,
                section, "an entry is the rest of its term")
            guard index > 0 else { continue }
            let order = camel.withRest(at: index - 1, of: texts) { former in
                camel.withRest(at: index, of: texts) { ByteOrder.compare(former, $0) }
            }
            try require(order <= 0, section, "entries ascend")
        }
    }

    /// Keys ascend; equal keys have ascending originals.
    func verifyTexts(_ texts: SortedTexts, _ section: Section) throws(SegmentError) {
        try requireStrings(texts.keys, section)
        try requireStrings(texts.originals, section)
        for index in 0..<texts.sparse.count {
            let isAscending = index == 0 || texts.sparse[index - 1] < texts.sparse[index]
            try require(
                isAscending && Int(texts.sparse[index]) < texts.count
                    && texts.originals[index].count > 0,
                section, "originals ascend, exist and are not empty")
        }
        var flagged = 0
        for word in 0..<texts.flags.count { flagged += texts.flags[word].nonzeroBitCount }
        let isFlagged = (0..<texts.sparse.count).allSatisfy { !texts.isFolded(texts.sparse[$0]) }
        try require(
            isFlagged && flagged == texts.sparse.count, section, "flags are those of originals")
        for rank in 1..<UInt32(max(1, texts.count)) {
            var order = ByteOrder.compare(texts.key(of: rank - 1), texts.key(of: rank))
            if order == 0 {
                order = ByteOrder.compare(texts.original(of: rank - 1), texts.original(of: rank))
            }
            try require(order < 0, section, "texts ascend and are distinct")
        }
    }
}
