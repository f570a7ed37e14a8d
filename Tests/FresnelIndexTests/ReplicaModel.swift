import FresnelIndex
import FresnelModel
import FresnelQuery
import FresnelWire

/// What a replica should hold, as a dictionary.
struct ReplicaModel {
    struct Entry {
        var document: Document
        var expiration: Double
        /// The sequence number of the batch that made this version.
        var created: SequenceNumber

        /// Whether it has no relation of its own.
        var isRoot: Bool { document.routingKey == document.uniqueIdentifier }
    }

    let schema: AttributeSchema
    /// The newest batch.
    private(set) var sequence = SequenceNumber.zero
    private(set) var entries: [String: Entry] = [:]
    /// Days a document without a date lives.
    static let life = 30.0 * 86_400

    /// Applies a batch; returns the positions that are refused and how many documents it deletes.
    mutating func apply(
        _ operations: [BatchOperation], _ sequence: SequenceNumber, in context: QueryContext
    ) throws -> (refused: [Int], deleted: Int) {
        self.sequence = sequence
        let now = context.now
        var refused: [Int] = []
        var deleted = 0
        for (position, operation) in operations.enumerated() {
            switch operation {
            case .index(let document):
                if !index(document.normalised(in: schema), at: now) { refused.append(position) }
            case .update(let patch):
                if !update(patch.normalised(in: schema), at: now) { refused.append(position) }
            case .deleteIdentifier(let identifier):
                deleted += delete([identifier], at: now)
            case .deleteDomain(let domain):
                deleted += delete(at: now) { document in
                    document.value(ofAttribute: "domainIdentifier").map {
                        guard case .string(let text) = $0 else { return false }
                        return Domain.contains(domain: domain, candidate: text)
                    } ?? false
                }
            case .deleteQuery(let query):
                let parsed = try QueryParser.parse(query, options: ParseOptions(schema: schema))
                let matcher = ReferenceMatcher(
                    expression: try parsed.expression.resolved(in: context), schema: schema)
                deleted += delete(at: now, where: matcher.matches)
            case .deleteAll: deleted += delete(at: now) { _ in true }
            case .supersede(let identifier, let newest):
                if isLive(identifier, at: now), let entry = entries[identifier],
                    entry.created <= newest
                {
                    entries[identifier] = nil
                }
            }
        }
        return (refused, deleted)
    }

    /// The documents a query sees.
    func visible(at now: Timestamp) -> [Document] {
        entries.values.filter { isVisible($0, at: now) }.map(\.document)
    }

    private func isVisible(_ entry: Entry, at now: Timestamp) -> Bool {
        guard entry.expiration > now.seconds else { return false }
        guard let related = entry.document.relatedUniqueIdentifier,
            related != entry.document.uniqueIdentifier, let owner = entries[related],
            owner.isRoot
        else { return true }
        return owner.expiration > now.seconds
    }

    private func isLive(_ identifier: String, at now: Timestamp) -> Bool {
        entries[identifier].map { isVisible($0, at: now) } ?? false
    }

    private mutating func index(_ document: Document, at now: Timestamp) -> Bool {
        if let related = document.relatedUniqueIdentifier,
            related != document.uniqueIdentifier,
            !isLive(related, at: now) || entries[related]?.isRoot == false
        {
            return false
        }
        if let former = entries[document.uniqueIdentifier],
            !isVisible(former, at: now)
        {
            entries[document.uniqueIdentifier] = nil
            if former.isRoot { forget(dependantsOf: document.uniqueIdentifier) }
        }
        let expiration = document.expirationDate?.seconds ?? now.seconds + Self.life
        entries[document.uniqueIdentifier] = Entry(
            document: document, expiration: expiration, created: sequence)
        return true
    }

    /// What went with an expired document stays gone when the document comes back.
    private mutating func forget(dependantsOf identifier: String) {
        for (key, entry) in entries
        where key != identifier && entry.document.relatedUniqueIdentifier == identifier {
            entries[key] = nil
        }
    }

    private mutating func update(_ patch: DocumentPatch, at now: Timestamp) -> Bool {
        guard isLive(patch.uniqueIdentifier, at: now),
            var entry = entries[patch.uniqueIdentifier],
            patch.relatedUniqueIdentifier ?? entry.document.routingKey == entry.document.routingKey
        else { return false }
        entry.created = sequence
        entry.document = entry.document.applying(patch).normalised(in: schema)
        if patch.expirationDate != nil {
            entry.expiration =
                entry.document.expirationDate?.seconds ?? now.seconds + Self.life
        }
        entries[patch.uniqueIdentifier] = entry
        return true
    }

    private mutating func delete(
        at now: Timestamp, where matches: (Document) -> Bool
    ) -> Int {
        let doomed = entries.values.filter { isVisible($0, at: now) && matches($0.document) }
        return delete(doomed.map(\.document.uniqueIdentifier), at: now)
    }

    /// Deletes documents and, with roots, those that hang on them.
    private mutating func delete(_ identifiers: [String], at now: Timestamp) -> Int {
        var deleted = 0
        for identifier in identifiers where isLive(identifier, at: now) {
            var doomed = [identifier]
            if entries[identifier]?.isRoot == true {
                doomed += entries.values.filter {
                    $0.document.relatedUniqueIdentifier == identifier && isVisible($0, at: now)
                        && $0.document.uniqueIdentifier != identifier
                }.map(\.document.uniqueIdentifier)
            }
            for key in doomed { entries[key] = nil }
            deleted += doomed.count
        }
        return deleted
    }
}
