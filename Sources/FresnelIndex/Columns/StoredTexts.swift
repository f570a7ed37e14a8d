import FresnelKernels
import FresnelQuery
import FresnelSystem
import FresnelWire
import Synchronization

// Sentences are matched by their words and read when they are delivered; as values they are rarely
// sorted or counted. In all but small segments they stand once, in the stored document, and
// identifiers once, in their own section. Who needs them as a column has one made, in memory.

/// The texts of an attribute that a segment has no column of.
final class StoredTexts: Sendable {
    /// Where the texts are.
    enum Source: Sendable {
        case documents(StoredDocuments)
        case identifiers(Identifiers)
    }

    private let source: Source
    private let name: String
    private let presence: Presence
    /// The column, once it was asked for.
    private let made = Mutex<StringColumn?>(nil)

    init(_ source: Source, name: String, presence: Presence) {
        self.source = source
        self.name = name
        self.presence = presence
    }

    /// The texts of a document, in the order of the elements.
    ///
    /// A stored document that cannot be read has none: documents are checked when they are stored,
    /// segments when they are opened.
    func texts(of document: DocumentNumber) -> [String] {
        guard presence.contains(document) else { return [] }
        switch source {
        case .identifiers(let identifiers):
            return [identifiers.withIdentifier(of: document) { String(copying: $0) }]
        case .documents(let documents):
            // Reading fails only where the segment was damaged after it was opened.
            guard let stored = try? DocumentView(documents.encoded(document)),
                let value = try? stored.value(of: name)
            else { return [] }
            return SearchableText.strings(of: value, attribute: name)
        }
    }

    /// The texts as a column, as a small segment has it.
    ///
    /// Made of all documents, some 2 µs each, when it is first asked for, and kept as long as the
    /// segment.
    var column: StringColumn? {
        made.withLock { made in
            guard made == nil else { return made }
            // A search may be waiting for what a merge makes here.
            YieldBackoff.shared.whileAwaited { made = makeColumn() }
            return made
        }
    }

    private func makeColumn() -> StringColumn? {
        var field = FieldBuilder(name: name)
        for row in 0..<presence.rowCount {
            let document = presence.document(ofRow: row)
            guard presence.contains(document) else { continue }
            for text in texts(of: document) {
                let view = text.utf8
                field.append(view.span)
            }
            field.contents.close(document, tokenCount: 0)
        }
        let contents = field.column()
        let column = ColumnWriter(
            attribute: contents, ordinal: 0, documentCount: presence.documentCount, ranks: [])
        do throws(SegmentError) {
            return try column.inMemory(presence)
        } catch {
            // More than 4 GiB of texts of one attribute, which no writer puts into one segment.
            return nil
        }
    }
}

extension String {
    /// UTF-8 as a text; empty where it is none.
    fileprivate init(copying bytes: Span<UInt8>) {
        // What is no UTF-8 was damaged after it was opened.
        guard let view = try? UTF8Span(validating: bytes) else {
            self = ""
            return
        }
        self = String(copying: view)
    }
}

extension ColumnWriter {
    /// The texts as a column of its own.
    fileprivate func inMemory(_ presence: Presence) throws(SegmentError) -> StringColumn {
        var writer = SectionWriter(capacity: 1024)
        try writeStrings(to: &writer)
        let table = try SectionTable(writer.finish())
        return try ColumnOpening(
            table: table, ordinal: ordinal, documentCount: presence.documentCount
        ).strings(presence)
    }
}
