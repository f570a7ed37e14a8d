import FresnelKernels
import FresnelModel
import FresnelQuery
import FresnelSystem
import FresnelText
import FresnelWire

// What each operation means (Documentation/protocol.md, "Writes").

extension PartWriter {
    mutating func apply(_ operation: BatchOperation, _ wire: WireOperation) throws {
        switch operation {
        case .index(let document):
            try checkShard(wire)
            try index(document)
        case .update(let patch):
            try update(patch)
        case .deleteIdentifier(let identifier):
            delete(identifier: Array(identifier.utf8))
        case .deleteDomain(let domain):
            try delete(domain: domain)
        case .deleteQuery(let query):
            try delete(matching: query)
        case .deleteAll:
            deleteAll()
        case .supersede(let identifier, let sequence):
            supersede(Array(identifier.utf8), by: sequence)
        }
    }

    /// Indexes a document as it came; false for every other operation, which has to be read.
    ///
    /// - Parameter key: of the identifier that the operation names.
    mutating func indexPlain(_ operation: WireOperation, _ key: IdentifierKey) -> Bool {
        let payload = part.payload
        guard operation.kind == .index, !operation.routedByRelation,
            RoutingKey.shard(of: operation.routingHash, count: settings.shardCount)
                == settings.shard,
            let place = operation.place(in: payload),
            let document = PlainDocument(payload.span, in: place, types)
        else { return false }
        let identifier = payload.span.extracting(document.identifier)
        let named = operation.identifier.utf8
        // What was routed by something else is refused where it is read.
        guard Hash.routingHash(of: identifier) == operation.routingHash,
            ByteOrder.compare(identifier, named.span) == 0
        else { return false }
        add(PartAddition(document, in: payload, at: place, expiration: defaultExpiration), key)
        return true
    }

    /// When documents vanish that do not say it themselves: seconds since 2001.
    private var defaultExpiration: Double {
        let expiration = settings.expiration.expiration(ofIndexedAt: part.stampedAt)
        return expiration?.seconds ?? .infinity
    }

    private func checkShard(_ operation: WireOperation) throws(OperationRefusal) {
        let home = RoutingKey.shard(of: operation.routingHash, count: settings.shardCount)
        guard home != settings.shard else { return }
        throw OperationRefusal(
            code: .wrongShard,
            message: "it belongs to shard \(home.number), this is \(settings.shard.number)")
    }

    private mutating func index(_ document: Document) throws(OperationRefusal) {
        let document = try checked(document)
        if let related = document.relatedUniqueIdentifier,
            document.isRoutedByRelation, !isLiveRoot(Array(related.utf8))
        {
            throw OperationRefusal(
                code: .invalidItem,
                message: """
                    its relatedUniqueIdentifier names no stored document without a relation of its \
                    own; index that one first, or use weakRelatedUniqueIdentifier \
                    (\(related.prefix(24)))
                    """)
        }
        let expiration = document.effectiveExpiration(
            indexedAt: part.stampedAt, default: settings.expiration)
        add(PartAddition(document: document, expiration: expiration?.seconds ?? .infinity))
    }

    private mutating func update(_ patch: DocumentPatch) throws {
        do throws(DocumentRefusal) {
            try DocumentValidation.validate(patch, schema: schema)
        } catch {
            throw OperationRefusal(code: .invalidItem, message: "\(error)")
        }
        let key = Array(patch.uniqueIdentifier.utf8)
        let current: PartAddition
        if let addition = liveAddition(key) {
            current = addition
        } else if let place = place(of: key) {
            current = PartAddition(
                document: try stored(at: place), expiration: expiration(at: place))
        } else {
            throw OperationRefusal(
                code: .unknownItem, message: "there is no document to update; index it first")
        }
        let former = current.document
        try checkRelation(of: patch, former)
        let document = try checked(former.applying(patch.normalised(in: schema)))
        // A date that the patch does not touch stays, also one that came from the default.
        var expiration = current.expiration
        if patch.expirationDate != nil {
            expiration =
                document.effectiveExpiration(
                    indexedAt: part.stampedAt, default: settings.expiration)?.seconds ?? .infinity
        }
        add(PartAddition(document: document, expiration: expiration))
    }

    private func checked(_ document: Document) throws(OperationRefusal) -> Document {
        do throws(DocumentRefusal) {
            return try DocumentValidation.normalised(document, schema: schema)
        } catch {
            throw OperationRefusal(code: .invalidItem, message: "\(error)")
        }
    }

    /// A patch that says which document its own is about must say it right: it cannot move one.
    private func checkRelation(
        of patch: DocumentPatch, _ document: Document
    ) throws(OperationRefusal) {
        guard let related = patch.relatedUniqueIdentifier,
            !related.hasSameBytes(as: document.routingKey)
        else { return }
        throw OperationRefusal(
            code: .invalidItem,
            message: """
                its document is about another one; an update cannot change \
                relatedUniqueIdentifier, index the whole document (\(related.prefix(24)))
                """)
    }

    /// Deletes a document and those whose existence hangs on it; an unknown one is no error.
    private mutating func delete(identifier: [UInt8]) {
        let hanging = holdsRelated && isLiveRoot(identifier) ? dependants(of: identifier) : []
        for key in [identifier] + hanging where remove(key) { countDeletion() }
    }

    /// A newer version lives in another shard: what hangs on the document stays.
    private mutating func supersede(_ identifier: [UInt8], by sequence: SequenceNumber) {
        if liveAddition(identifier) != nil, part.sequence <= sequence {
            _ = removeAddition(identifier)
        }
        guard let place = place(of: identifier) else { return }
        let versions = segments[place.segment].segment.versions
        guard versions.createdSequence(of: place.document) <= sequence.value else { return }
        delete(at: place)
    }

    private mutating func remove(_ identifier: [UInt8]) -> Bool {
        yieldPace.step()
        let wasAdded = liveAddition(identifier) != nil && removeAddition(identifier)
        guard let place = place(of: identifier) else { return wasAdded }
        delete(at: place)
        return true
    }

    /// Live documents that hang on a live root.
    ///
    /// A batch may delete any number of roots: they are looked up, never searched for.
    private mutating func dependants(of root: [UInt8]) -> [[UInt8]] {
        var dependants: [[UInt8]] = []
        for place in segments.indices {
            // The root has not expired, so nothing that hangs on it is an orphan.
            for document in segments[place].documents(linkedTo: root.span) {
                yieldPace.step()
                guard
                    segments[place].isVisible(document, at: part.sequence, now: part.expiredBy)
                else { continue }
                dependants.append(segments[place].segment.identifiers.identifier(of: document))
            }
        }
        return dependants + additions.identifiers(linkedTo: root).filter { isLive($0) }
    }

    private mutating func delete(domain: String) throws(OperationRefusal) {
        do throws(DocumentRefusal) {
            try DocumentValidation.validateDomain(domain)
        } catch {
            throw OperationRefusal(code: .invalidItem, message: "\(error)")
        }
        for key in live(inDomain: domain) { delete(identifier: key) }
    }

    /// The identifiers of live documents of a domain and those below it, compared by bytes.
    ///
    /// A pattern of a query would take other spellings along.
    private mutating func live(inDomain domain: String) -> [[UInt8]] {
        countSearch()
        var found: [[UInt8]] = []
        let name = DocumentField.domainIdentifier
        let key = foldedKey(of: domain)
        let visible = segments.visible(at: part.sequence, now: part.stampedAt)
        for (published, candidates) in zip(segments, visible) {
            guard let column = published.segment.attribute(named: name)?.strings else { continue }
            let identifiers = published.segment.identifiers
            for rank in column.values.range(withKeyPrefix: key.span) {
                let isInside = column.values.withOriginal(of: rank) {
                    Domain.contains(domain: domain.utf8.span, candidate: $0)
                }
                guard isInside else { continue }
                let documents = column.documents(of: rank)
                for place in documents.indices where candidates.contains(documents[place]) {
                    found.append(identifiers.identifier(of: documents[place]))
                }
            }
        }
        decodeAdditions()
        for addition in additions.inOrder {
            guard case .string(let own)? = addition.document.value(ofAttribute: name),
                Domain.contains(domain: domain, candidate: own)
            else { continue }
            let key = Array(addition.document.uniqueIdentifier.utf8)
            if liveAddition(key) != nil { found.append(key) }
        }
        return found.filter { key in
            yieldPace.step()
            return isLive(key)
        }
    }

    private mutating func delete(matching query: String) throws(OperationRefusal) {
        let expression: ResolvedExpression
        do throws(QueryError) {
            let parsed = try QueryParser.parse(query, options: ParseOptions(schema: schema))
            expression = try parsed.expression.resolved(in: part.context)
        } catch {
            throw OperationRefusal(code: .invalidQuery, message: "\(error)")
        }
        for key in live(matching: expression) { delete(identifier: key) }
    }

    private mutating func deleteAll() {
        for key in live(matching: .constant(true)) where remove(key) { countDeletion() }
    }

    /// The identifiers of live documents that satisfy an expression, as this part stands.
    private mutating func live(matching expression: ResolvedExpression) -> [[UInt8]] {
        countSearch()
        let language = part.context.language
        var comparisons: [ComparisonPlan] = []
        let plan = PlannedExpression(
            expression, schema, language: language, comparisons: &comparisons)
        var found: [[UInt8]] = []
        let visible = segments.visible(at: part.sequence, now: part.expiredBy)
        for (published, candidates) in zip(segments, visible) {
            var matcher = SegmentMatcher(
                comparisons, in: published.view, control: SearchControl(time: SystemTime()))
            do {
                let identifiers = published.segment.identifiers
                for document in try matcher.matches(plan, in: candidates).documents {
                    found.append(identifiers.identifier(of: document))
                }
            } catch {
                preconditionFailure("a search without deadline and switch was stopped: \(error)")
            }
        }
        decodeAdditions()
        let matcher = ReferenceMatcher(expression: expression, schema: schema, language: language)
        for addition in additions.inOrder where matcher.matches(addition.document) {
            let key = Array(addition.document.uniqueIdentifier.utf8)
            if liveAddition(key) != nil { found.append(key) }
        }
        return found.filter { key in
            yieldPace.step()
            return isLive(key)
        }
    }
}
