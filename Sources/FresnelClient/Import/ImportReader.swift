import FresnelSystem
package import FresnelWire

/// Reads a source entry by entry, in constant memory.
///
/// Not for several tasks at once. Reading blocks while the source has nothing to give.
public final class ImportReader {
    /// The source.
    public let source: ImportSource
    /// Lines that were read whole, or values of JSON that are not one a line: where a resumed
    /// import goes on.
    public var linesConsumed: Int { reader.linesConsumed }
    private var reader: any EntryReader
    private var yieldPace = YieldPace()

    /// Opens a source.
    ///
    /// - Throws: `SearchError` when it cannot be opened or its beginning (the header row of a
    ///   table) cannot be used.
    public init(_ source: ImportSource, options: ImportOptions) throws(SearchError) {
        self.source = source
        reader =
            switch options.format {
            case .ndjson: try NDJSONReader(source, options: options)
            case .csv: try CSVReader(source, options: options)
            case .deb822: try Deb822Reader(source, options: options)
            }
    }

    /// The next entry; nil at the end.
    ///
    /// - Throws: `SearchError` when the source cannot be read any more; entries that cannot be used
    ///   are `.refused` instead.
    public func next() throws(SearchError) -> ImportRecord? {
        yieldPace.step()
        return try reader.next()
    }

    /// The next entry, encoded already where it is a plain document; nil at the end.
    ///
    /// - Parameter types: those of the index it goes into (`ImportSession.types`); nil to encode
    ///   none.
    /// - Throws: as `next`.
    package func nextEntry(_ types: PlainTypes?) throws(SearchError) -> ImportEntry? {
        yieldPace.step(every: 4)
        return try reader.nextEntry(types)
    }

    /// How the source is laid out, for people.
    package var layout: String { reader.layout }

    /// What becomes of the columns, keys or fields that were read so far, in the order in which
    /// they came; not of documents in Fresnel's own form, which name attributes.
    package var columns: [ImportedColumn] { reader.columns }

    /// The columns, keys or fields that are mapped and were not in the source so far.
    package var missingColumns: [String] { reader.missingColumns }
}

/// One entry of an imported source, on its way into a session.
package enum ImportEntry: Sendable {
    /// A document that the cluster takes as it is; `line` is where it begins, from 1.
    case plain(EncodedDocument, line: Int)
    /// A document of a row or of an object of somebody else's form, whose new texts shall be found
    /// by `**`; `line` is where it begins, from 1.
    case flat(Document, line: Int)
    /// Any other.
    case record(ImportRecord)

    /// The entry for who does not care how it was written; nil of one that is encoded.
    var record: ImportRecord? {
        switch self {
        case .plain: nil
        case .flat(let document, let line): .document(document, line: line)
        case .record(let record): record
        }
    }
}

/// One format.
protocol EntryReader: AnyObject {
    var linesConsumed: Int { get }
    func next() throws(SearchError) -> ImportRecord?
    func nextEntry(_ types: PlainTypes?) throws(SearchError) -> ImportEntry?
    var layout: String { get }
    var columns: [ImportedColumn] { get }
    var missingColumns: [String] { get }
}

extension EntryReader {
    func nextEntry(_ types: PlainTypes?) throws(SearchError) -> ImportEntry? {
        try next().map { .record($0) }
    }
}

/// What one entry may cost.
enum ImportLimits {
    /// Bytes of one entry: the largest document with every character escaped, rounded up.
    static let entryBytes = 8 << 20
    /// Columns of a table: every attribute of a document and its own fields.
    static let columns = Limits.attributesPerDocument + 4
}
