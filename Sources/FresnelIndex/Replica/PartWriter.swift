import FresnelKernels
import FresnelModel
import FresnelQuery
import FresnelSystem
import FresnelWire

/// Works one part out on the side: what it deletes, what it adds, what it refuses.
///
/// Operations see the effect of those before them in the same part. Nothing is visible to readers
/// until the replica publishes the result.
struct PartWriter {
    /// Bytes of UTF-8 above which a refusal's text is shortened.
    static let refusalBytes = 200

    let part: PartInput
    let settings: ReplicaSettings
    let schema: AttributeSchema
    /// What documents may hold that are not decoded.
    let types: PlainTypes
    /// The replica's segments with the deletions of this part.
    private(set) var segments: [PublishedSegment]
    /// Which identifiers each segment may have.
    private let filters: [IdentifierFilter]
    /// The documents this part adds.
    private(set) var additions = PartAdditions()
    private(set) var outcome = PartOutcome()
    private(set) var holdsRelated: Bool
    /// Gives way at every operation, and at every document that goes with one.
    var yieldPace = YieldPace()
    /// How often it looked through all documents: as often as an operation says which ones without
    /// naming them, however many it finds.
    private(set) var searchCount = 0

    init(
        _ part: PartInput, settings: ReplicaSettings, snapshot: IndexSnapshot, _ types: PlainTypes,
        holdsRelated: Bool
    ) {
        outcome.sequence = part.sequence
        self.part = part
        self.settings = settings
        self.types = types
        schema = snapshot.schema
        segments = snapshot.segments
        filters = segments.map(\.segment.filter)
        self.holdsRelated = holdsRelated
        outcome.contentHash = part.contentHash(in: settings)
    }

    /// What is to be built into a segment, in the order it came.
    var incoming: [IncomingDocument] {
        additions.inOrder.map { addition in
            IncomingDocument(
                addition.form, createdSequence: part.sequence.value,
                expiration: addition.expiration)
        }
    }

    /// Carries out every operation; a refused one leaves the others as they are.
    mutating func run() {
        let hashes = part.operations.map { Hash.checksum(of: $0.identifier.utf8.span) }
        let candidates = IdentifierFilter.candidates(hashes, among: filters)
        let operations = part.operations
        for place in operations.indices {
            let operation = operations[place]
            let isShort = operation.kind == .index && operation.bodyLength <= 1024
            yieldPace.step(every: isShort ? 8 : 1)
            let key = IdentifierKey(hash: hashes[place], candidates: candidates[place])
            if indexPlain(operation, key) { continue }
            do {
                try apply(try BatchOperation(operation, payload: part.payload), operation)
            } catch let error as OperationRefusal {
                refuse(operation, error.code, error.message)
            } catch let error as WireError {
                refuse(operation, error.code, "\(error)")
            } catch {
                preconditionFailure("an operation threw an unknown kind of error: \(error)")
            }
        }
    }

    private mutating func refuse(_ operation: WireOperation, _ code: ErrorCode, _ text: String) {
        var result = WireItemResult()
        result.position = operation.position
        result.code = code.number
        // A thousand refusals must fit into one PART_ACK. A scalar has at most 4 bytes; a character
        // may have any number.
        result.message =
            text.utf8.count <= Self.refusalBytes
            ? text : String(text.unicodeScalars.prefix(Self.refusalBytes / 4)) + "…"
        outcome.refusals.append(result)
    }

    // The state this part works on: additions first, since they are newer.

    /// Where a live document stands in the segments.
    struct Place {
        let segment: Int
        let document: DocumentNumber
    }

    /// The segments that may have versions of an identifier; mostly none or one.
    private func candidates(forHash hash: UInt64) -> [Int] {
        filters.indices.filter { filters[$0].mayContain(hash) }
    }

    /// The version of an identifier in the segments that exists for this part.
    func place(of identifier: [UInt8]) -> Place? {
        place(of: identifier, in: candidates(forHash: Hash.checksum(of: identifier)))
    }

    private func place(of identifier: [UInt8], in candidates: [Int]) -> Place? {
        for number in candidates {
            let published = segments[number]
            let versions = published.segment.identifiers.documents(
                withIdentifier: identifier.span)
            for document in versions
            where published.isVisible(document, at: part.sequence, now: part.expiredBy)
                && !isOrphan(document, in: published)
            {
                return Place(segment: number, document: document)
            }
        }
        return nil
    }

    func stored(at place: Place) throws(WireError) -> Document {
        let bytes = segments[place.segment].segment.stored.encoded(place.document)
        return try DocumentCoding.decode(bytes, in: 0..<bytes.count)
    }

    func expiration(at place: Place) -> Double {
        segments[place.segment].segment.versions.expiration(of: place.document)
    }

    mutating func delete(at place: Place) {
        segments[place.segment].deletions.insert(place.document, at: part.sequence.value)
    }

    mutating func add(_ addition: PartAddition) {
        let hash = addition.form.withIdentifier { Hash.checksum(of: $0) }
        add(addition, IdentifierKey(hash: hash, candidates: candidates(forHash: hash)))
    }

    /// - Parameter key: of the document's identifier.
    mutating func add(_ addition: consuming PartAddition, _ key: IdentifierKey) {
        let place = addition.form.withIdentifier { additions.place(of: $0, hash: key.hash) }
        // Most documents are new: then no segment has anything to delete.
        if !key.candidates.isEmpty || additions.isTaken(place) {
            let identifier = addition.form.withIdentifier { [UInt8](copying: $0) }
            replace(identifier, in: key.candidates)
        }
        if addition.isRoutedByRelation { holdsRelated = true }
        additions.set(addition, at: place)
    }

    /// Deletes what a document takes the place of.
    private mutating func replace(_ identifier: [UInt8], in candidates: [Int]) {
        if let place = place(of: identifier, in: candidates) {
            delete(at: place)
        } else if liveAddition(identifier) == nil {
            forgetExpired(identifier, in: candidates)
        }
    }

    /// Removes an addition; false when this part has none of that identifier.
    mutating func removeAddition(_ identifier: [UInt8]) -> Bool { additions.remove(identifier) }

    /// Decodes what the part adds, for who looks at all of it.
    mutating func decodeAdditions() { additions.decode() }

    mutating func countDeletion() { outcome.deleted += 1 }

    mutating func countSearch() { searchCount += 1 }
}

/// What is known of an identifier without looking for it.
struct IdentifierKey {
    /// Of its bytes (`Hash.checksum`).
    let hash: UInt64
    /// The segments that may have it; mostly none.
    let candidates: [Int]
}

/// Why one operation was refused.
struct OperationRefusal: Error {
    let code: ErrorCode
    let message: String
}
