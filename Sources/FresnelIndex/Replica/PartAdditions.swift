import FresnelKernels
import FresnelModel
import FresnelWire

/// A document made by a part.
struct PartAddition {
    /// What is to be stored.
    let form: IncomingDocument.Form
    /// Seconds since 2001; infinity is never.
    let expiration: Double

    init(document: Document, expiration: Double) {
        form = .decoded(document, encoded: DocumentCoding.encode(document))
        self.expiration = expiration
    }

    /// - Parameter document: stands in `bytes` as a whole at `place`.
    init(_ document: PlainDocument, in bytes: [UInt8], at place: Range<Int>, expiration: Double) {
        form = .plain(document, bytes, place)
        self.expiration = expiration
    }

    /// The document, decoded.
    var document: Document {
        switch form {
        case .decoded(let document, _): return document
        case .plain(_, let bytes, let place):
            do throws(WireError) {
                return try DocumentCoding.decode(bytes, in: place)
            } catch {
                preconditionFailure("a document was found to be plain and is none: \(error)")
            }
        }
    }

    /// The identifier of the document that this one is about, if it is another one.
    var relatedUniqueIdentifier: [UInt8]? {
        guard case .decoded(let document, _) = form else { return nil }
        return document.relatedUniqueIdentifier.map { Array($0.utf8) }
    }

    /// The identifier of the document in whose shard this one lives; nil for its own.
    fileprivate var root: [UInt8]? { isRoutedByRelation ? relatedUniqueIdentifier : nil }

    /// Whether the document is not decoded.
    var isPlain: Bool { if case .plain = form { true } else { false } }

    /// Whether the document lives in the shard of another one.
    var isRoutedByRelation: Bool {
        guard case .decoded(let document, _) = form else { return false }
        return document.isRoutedByRelation
    }
}

/// The documents that a part makes, in the order in which they came first.
///
/// They are known by the bytes of their identifiers: two spellings of one text are two identifiers.
struct PartAdditions {
    private var numbers = TextInterner()
    /// One for every identifier that has a place; nil where it was not set or was removed.
    private var entries: [PartAddition?] = []
    /// The numbers of identifiers in the order of their documents.
    private var order: [UInt32] = []
    /// The numbers of documents by the identifier of the one they are about.
    private var links: [[UInt8]: Set<UInt32>] = [:]
    /// Whether some document may not be decoded.
    private var hasPlain = false

    /// What the part makes under an identifier.
    subscript(identifier: Span<UInt8>) -> PartAddition? {
        numbers.known(identifier).flatMap { entries[Int($0)] }
    }

    /// What the part makes under an identifier.
    subscript(identifier: [UInt8]) -> PartAddition? { self[identifier.span] }

    /// The place of an identifier, which it has from now on.
    ///
    /// - Parameter hash: of its bytes (`Hash.checksum`).
    mutating func place(of identifier: Span<UInt8>, hash: UInt64) -> Int {
        let place = Int(numbers.number(of: identifier, hash: hash))
        if place == entries.count { entries.append(nil) }
        return place
    }

    /// Whether the part makes something under the identifier of a place.
    func isTaken(_ place: Int) -> Bool { entries[place] != nil }

    /// Decodes all documents, for who looks at every one again and again.
    mutating func decode() {
        guard hasPlain else { return }
        for place in entries.indices {
            guard let entry = entries[place], case .plain = entry.form else { continue }
            entries[place] = PartAddition(document: entry.document, expiration: entry.expiration)
        }
        hasPlain = false
    }

    /// The identifiers of other documents that name a document as the one they are about.
    func identifiers(linkedTo identifier: [UInt8]) -> [[UInt8]] {
        (links[identifier] ?? []).sorted().map { [UInt8](copying: numbers.texts[Int($0)]) }
    }

    /// The documents in order.
    var inOrder: some Sequence<PartAddition> { order.lazy.compactMap { entries[Int($0)] } }

    /// Puts a document in the place of that of its identifier, where it stays in the order, or
    /// behind all others.
    mutating func set(_ addition: consuming PartAddition, at place: Int) {
        if entries[place] == nil { order.append(UInt32(place)) }
        unlink(place)
        if let root = addition.root { links[root, default: []].insert(UInt32(place)) }
        if addition.isPlain { hasPlain = true }
        entries[place] = addition
    }

    /// Removes a document; false when there is none of that identifier.
    mutating func remove(_ identifier: [UInt8]) -> Bool {
        guard let number = numbers.known(identifier.span), entries[Int(number)] != nil else {
            return false
        }
        unlink(Int(number))
        entries[Int(number)] = nil
        order.removeAll { $0 == number }
        return true
    }

    private mutating func unlink(_ place: Int) {
        guard let root = entries[place]?.root else { return }
        links[root]?.remove(UInt32(place))
    }
}
