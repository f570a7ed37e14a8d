package import FresnelKernels
import FresnelSystem

// The documents of terms without their positions: whole lists by blocks, others by a cursor.

extension PostingLists {
    /// Appends the documents that have a term in an attribute of the filter, ascending.
    package func appendDocuments(
        of term: TermID, in filter: AttributeFilter? = nil, to documents: inout [DocumentNumber],
        control: SearchControl? = nil
    ) throws(SearchStop) {
        var pace = CheckPace(control)
        try appendDocuments(of: term, in: filter, to: &documents, &pace)
    }

    /// Adds the documents that have a term in an attribute of the filter to a set.
    package func insertDocuments(
        of term: TermID, in filter: AttributeFilter? = nil, into set: inout Bitset,
        control: SearchControl? = nil
    ) throws(SearchStop) {
        var pace = CheckPace(control)
        try insertDocuments(of: term, in: filter, into: &set, &pace)
    }

    func appendDocuments(
        of term: TermID, in filter: AttributeFilter?, to documents: inout [DocumentNumber],
        _ pace: inout CheckPace
    ) throws(SearchStop) {
        guard let place = place(of: term) else { return }
        let list = list(at: place)
        guard filter?.mayMeet(list.mask) ?? true else { return }
        guard let filter, !filter.covers(list.mask) else {
            return try appendDocuments(of: list, to: &documents, &pace)
        }
        var cursor = PostingCursor(self, list)
        while !cursor.isAtEnd {
            try pace.step()
            if cursor.occurs(in: filter) { documents.append(cursor.documentNumber) }
            cursor.advance()
        }
    }

    /// Appends the documents of a list, ascending.
    func appendDocuments(
        of list: PostingList, to documents: inout [DocumentNumber], _ pace: inout CheckPace
    ) throws(SearchStop) {
        if let only = list.only {
            documents.append(only)
            return try pace.step(128)
        }
        try read(list, &pace) { PostingBlocks.append($0, to: &documents) }
    }

    func insertDocuments(
        of term: TermID, in filter: AttributeFilter?, into set: inout Bitset,
        _ pace: inout CheckPace
    ) throws(SearchStop) {
        guard let place = place(of: term) else { return }
        let list: PostingList
        if let packed {
            switch packed.place(place) {
            case .single(let index):
                insertSingle(index, of: packed, in: filter, into: &set)
                return try pace.step(128)
            case .other(let other): list = self.list(packed, other)
            case .none: return
            }
        } else {
            list = self.list(at: place)
        }
        guard filter?.mayMeet(list.mask) ?? true else { return }
        guard let filter, !filter.covers(list.mask) else {
            guard list.documentCount >= 128 else {
                return try insertShort(list, into: &set, &pace)
            }
            return try read(list, &pace) { PostingBlocks.insert($0, into: &set) }
        }
        var cursor = cursor(for: term)
        while !cursor.isAtEnd {
            try pace.step()
            if cursor.occurs(in: filter) { set.insert(Int(cursor.documentNumber)) }
            cursor.advance()
        }
    }

    /// Adds the document of a single list, as those of most terms of a pattern are.
    @inline(__always)
    private func insertSingle(
        _ index: Int, of packed: PackedListTable, in filter: AttributeFilter?,
        into set: inout Bitset
    ) {
        // Of one attribute, a filter has all or nothing.
        guard let (document, mask) = packed.singles?.document(index),
            Int(document) < documentCount, filter?.mayMeet(mask) ?? true
        else { return }
        set.insert(Int(document))
    }

    /// Adds the documents of a list of one block.
    private func insertShort(
        _ list: PostingList, into set: inout Bitset, _ pace: inout CheckPace
    ) throws(SearchStop) {
        // A block, however few documents it has.
        try pace.step(128)
        let bytes = blob
        let range: Range<Int>
        switch list.form {
        case .single: return
        case .block(let start): range = start..<bytes.count
        case .blocks(let blocks):
            guard !blocks.isEmpty else { return }
            range = blockOffsets.range(blocks.lowerBound, limit: bytes.count)
        }
        let block = bytes.bytes.extracting(range)
        PostingBlocks.insertShort(
            block, count: list.documentCount, limit: documentCount, isCoded: isCoded, into: &set)
    }

    /// Adds the documents that have a term, which a filter covers wholly, to a set, and to another
    /// those that were in it already.
    func insertDocuments(
        of term: TermID, into set: inout Bitset, repeated: inout Bitset, _ pace: inout CheckPace
    ) throws(SearchStop) {
        guard let place = place(of: term) else { return }
        let list = list(at: place)
        if let only = list.only {
            if set.contains(Int(only)) { repeated.insert(Int(only)) }
            set.insert(Int(only))
            return try pace.step(128)
        }
        try read(list, &pace) { PostingBlocks.insert($0, into: &set, repeated: &repeated) }
    }

    /// Blocks that are read between two looks at the budget.
    private static let blocksPerLook = 32

    /// Hands a list to `body` in pieces, as long as that reads them, with a look before each.
    private func read(
        _ list: PostingList, _ pace: inout CheckPace,
        _ body: (borrowing PostingBlocks.List) -> Bool
    ) throws(SearchStop) {
        let (blob, offsets) = (blob, blockOffsets)
        let blocks: Range<Int>
        switch list.form {
        case .single: return
        case .blocks(let range): blocks = range
        case .block(let start):
            guard list.documentCount > 0 else { return }
            try pace.step(128)
            let ends: InlineArray<2, UInt32> = [UInt32(start), UInt32(blob.count)]
            _ = body(
                PostingBlocks.List(
                    blob: blob.bytes, offsets: ends.span, count: list.documentCount,
                    limit: documentCount, isCoded: isCoded))
            return
        }
        // Damaged: fewer blocks than documents need.
        var left = min(list.documentCount, 128 * blocks.count)
        var block = blocks.lowerBound
        while left > 0 {
            let size = min(Self.blocksPerLook, (left + 127) / 128)
            try pace.step(128 * size)
            let count = min(left, 128 * size)
            let isRead = body(
                PostingBlocks.List(
                    blob: blob.bytes, offsets: offsets.span.extracting(block..<block + size + 1),
                    count: count, limit: documentCount,
                    floor: block == blocks.lowerBound ? 0 : lastDocuments[block - 1] &+ 1,
                    isCoded: isCoded))
            guard isRead else { return }
            left -= count
            block += size
        }
    }
}
