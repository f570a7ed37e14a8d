import FresnelKernels
import FresnelSystem

/// The documents of a segment as they were encoded for the wire.
///
/// Small segments have them as they are, large ones in packed blocks (`StoredBlocks`).
package struct StoredDocuments: Sendable {
    /// Where they are.
    enum Form: Sendable {
        case plain(StringList)
        case packed(StoredBlocks)
    }

    let form: Form

    /// The encoded bytes of a document (`DocumentCoding`); none where a packed block is damaged,
    /// which no decoder takes for a document.
    package func encoded(_ document: DocumentNumber) -> [UInt8] {
        withEncoded(document) { [UInt8](copying: $0) }
    }

    /// Calls `body` with the encoded bytes of a document, without a copy where they lie plain.
    package func withEncoded<Answer, Failure: Error>(
        _ document: DocumentNumber, _ body: (Span<UInt8>) throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        switch form {
        case .plain(let documents):
            let blob = documents.blob
            let place = documents.offsets.range(Int(document), limit: blob.count)
            return try body(blob.bytes.extracting(place))
        case .packed(let blocks):
            guard let block = blocks.block(with: document) else {
                let none: [UInt8] = []
                return try body(none.span)
            }
            let bytes = block.bytes
            return try body(bytes.span.extracting(block.range(of: document)))
        }
    }

    /// Calls `body` with the numbers and encoded bytes of the first `count` documents, ascending.
    func forEachEncoded(of count: Int, _ body: (DocumentNumber, Span<UInt8>) -> Void) {
        guard case .plain(let documents) = form else {
            for document in 0..<DocumentNumber(count) {
                withEncoded(document) { body(document, $0) }
            }
            return
        }
        let blob = documents.blob
        for document in 0..<DocumentNumber(count) {
            let place = documents.offsets.range(Int(document), limit: blob.count)
            body(document, blob.bytes.extracting(place))
        }
    }

    /// Calls `body` with the numbers and encoded bytes of some documents, ascending.
    func forEachEncoded<Failure: Error>(
        in documents: Bitset, _ body: (DocumentNumber, Span<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        guard case .plain(let list) = form else {
            return try documents.forEach { (number) throws(Failure) in
                let document = DocumentNumber(number)
                try withEncoded(document) { (bytes) throws(Failure) in try body(document, bytes) }
            }
        }
        let blob = list.blob
        try documents.forEach { (number) throws(Failure) in
            let place = list.offsets.range(number, limit: blob.count)
            try body(DocumentNumber(number), blob.bytes.extracting(place))
        }
    }

    /// The bytes of all documents, not packed; with the lengths that stand in packed blocks.
    package var unpackedByteCount: Int {
        switch form {
        case .plain(let documents): documents.byteCount
        case .packed(let blocks): blocks.unpackedByteCount
        }
    }
}

extension StoredDocuments {
    init(_ table: SectionTable, _ counts: SegmentCounts) throws(SegmentError) {
        if table.bytes(of: Section(.storeBlocks)) != nil {
            form = .packed(
                try StoredBlocks(
                    table.reader(of: Section(.storeBlocks)), documentCount: counts.documents))
            return
        }
        var reader = try table.reader(of: Section(.store))
        form = .plain(try reader.strings(count: counts.documents))
        try reader.requireEnd()
    }
}
