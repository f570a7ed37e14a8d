import FresnelKernels
package import FresnelModel

/// An encoded document, and where its identifier stands.
package struct EncodedDocument: Sendable {
    package let bytes: [UInt8]
    let identifier: Range<Int>

    /// The document's identifier.
    package var uniqueIdentifier: String { String(decoding: bytes[identifier], as: UTF8.self) }
}

/// Encodes a plain document from texts that lie elsewhere; its attributes come in any order.
///
/// What would not be plain comes out as nil at the end, so that of values nothing has to be checked
/// before.
package struct PlainDocumentWriter: Sendable {
    /// An attribute that was given, and where its encoding stands in `values`; nil where absent.
    private struct Entry {
        let key: PlainTypes.Key
        var place: Range<Int>?
    }

    private var identifier: [UInt8] = []
    private var domain: [UInt8] = []
    /// In the order of their names.
    private var entries: [Entry] = []
    private var values = ByteWriter()
    /// The texts of an open list.
    private var list = ByteWriter()
    private var listCount = 0

    /// Makes a writer, whose memory serves one document after the other.
    package init() {}

    /// Begins a document.
    package mutating func begin() {
        identifier.removeAll(keepingCapacity: true)
        domain.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
        values.bytes.removeAll(keepingCapacity: true)
    }

    /// Says what the document is called.
    package mutating func setIdentifier(_ text: Span<UInt8>) {
        identifier.removeAll(keepingCapacity: true)
        identifier.append(copying: text)
    }

    /// Says which domain the document is in.
    package mutating func setDomain(_ text: Span<UInt8>) {
        domain.removeAll(keepingCapacity: true)
        domain.append(copying: text)
    }

    /// Begins an attribute, which is absent until it gets a value.
    ///
    /// - Returns: its place for `add`, valid until the next attribute begins; nil when it was given
    ///   before.
    package mutating func begin(_ key: PlainTypes.Key) -> Int? {
        var place = entries.count
        while place > 0 {
            let order = entries[place - 1].key.compare(key)
            if order == 0 { return nil }
            if order < 0 { break }
            place -= 1
        }
        entries.insert(Entry(key: key, place: nil), at: place)
        return place
    }

    /// Gives an attribute a text; an empty one means absent.
    package mutating func add(_ text: Span<UInt8>, at place: Int) {
        guard !text.isEmpty else { return }
        write(.string, bytes: text.count, at: place) { $0.bytes.append(copying: text) }
    }

    /// Gives an attribute a number.
    package mutating func add(_ number: Double, at place: Int) {
        // −0 is stored as 0.
        write(.number, bytes: 8, at: place) { $0.write(number + 0) }
    }

    /// Gives an attribute a point in time.
    package mutating func add(_ date: Timestamp, at place: Int) {
        write(.date, bytes: 8, at: place) { $0.write(date.seconds) }
    }

    /// Begins the texts of an attribute.
    package mutating func beginList() {
        list.bytes.removeAll(keepingCapacity: true)
        listCount = 0
    }

    /// Adds a text to the open list, unless it is empty.
    package mutating func addToList(_ text: Span<UInt8>) {
        guard !text.isEmpty else { return }
        listCount += 1
        list.writeVarint(UInt64(text.count))
        list.bytes.append(copying: text)
    }

    /// Gives an attribute the texts of the open list; none means absent.
    package mutating func addList(at place: Int) {
        guard listCount > 0 else { return }
        var count = ByteWriter(capacity: 4)
        count.writeVarint(UInt64(listCount))
        let (head, body) = (count.bytes, list.bytes)
        write(.strings, bytes: head.count + body.count, at: place) { writer in
            writer.bytes += head
            writer.bytes += body
        }
    }

    /// Ends the document; nil when it is not plain.
    package func finish(_ types: PlainTypes) -> EncodedDocument? {
        let size = identifier.count + domain.count + values.bytes.count
        var writer = ByteWriter(capacity: size + 16)
        writer.write(DocumentLayout.version)
        writer.write(DocumentLayout.Form.product.rawValue)
        writer.write(UInt8(domain.isEmpty ? 0 : 1))
        writer.writeSlice(identifier)
        let end = writer.bytes.count
        if !domain.isEmpty { writer.writeSlice(domain) }
        writer.writeVarint(UInt64(entries.count { $0.place != nil }))
        for entry in entries {
            guard let place = entry.place else { continue }
            writer.bytes.append(copying: values.bytes.span.extracting(place))
        }
        let bytes = writer.bytes
        guard PlainDocument(bytes.span, in: 0..<bytes.count, types) != nil else { return nil }
        return EncodedDocument(bytes: bytes, identifier: end - identifier.count..<end)
    }

    private mutating func write(
        _ type: ValueType, bytes count: Int, at place: Int,
        _ body: (inout ByteWriter) -> Void
    ) {
        let start = values.bytes.count
        let key = entries[place].key
        values.writeVarint(UInt64(key.number))
        if let custom = key.custom { values.writeSlice(custom) }
        values.write(type.rawValue)
        values.writeVarint(UInt64(count))
        body(&values)
        entries[place].place = start..<values.bytes.count
    }
}
