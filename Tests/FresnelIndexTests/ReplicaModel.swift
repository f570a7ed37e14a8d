import FresnelIndex
import FresnelModel
import FresnelQuery
import FresnelWire

/// What a replica should hold, as a dictionary.
struct ReplicaModel {
    struct Entry {
        var document: Document
        var expiration: Double
    }

    let schema: AttributeSchema
    private(set) var entries: [String: Entry] = [:]
    /// Days a document without a date lives.
    static let life = 30.0 * 86_400

    /// Applies a batch; returns the positions that are refused and how many documents it deletes.
    mutating func apply(
        _ operations: [BatchOperation], at now: Timestamp, _ context: QueryContext
    ) throws -> (refused: [Int], deleted: Int) {
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
            case .supersede(let identifier):
                if isLive(identifier, at: now) { entries[identifier] = nil }
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
            related != entry.document.uniqueIdentifier, let owner = entries[related]
        else { return true }
        return owner.expiration > now.seconds
    }

    private func isLive(_ identifier: String, at now: Timestamp) -> Bool {
        entries[identifier].map { isVisible($0, at: now) } ?? false
    }

    private mutating func index(_ document: Document, at now: Timestamp) -> Bool {
        if let related = document.relatedUniqueIdentifier,
            related != document.uniqueIdentifier, !isLive(related, at: now)
        {
            return false
        }
        if let former = entries[document.uniqueIdentifier],
            !isVisible(former, at: now)
        {
            entries[document.uniqueIdentifier] = nil
            forget(dependantsOf: document.uniqueIdentifier)
        }
        let expiration = document.expirationDate?.seconds ?? now.seconds + Self.life
        entries[document.uniqueIdentifier] = Entry(document: document, expiration: expiration)
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
            var entry = entries[patch.uniqueIdentifier]
        else { return false }
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

    /// Deletes documents and, one after the other, those that hang on them.
    private mutating func delete(_ identifiers: [String], at now: Timestamp) -> Int {
        var waiting = identifiers
        var deleted = 0
        while let next = waiting.popLast() {
            guard isLive(next, at: now) else { continue }
            entries[next] = nil
            deleted += 1
            waiting += entries.values.compactMap { entry in
                entry.document.relatedUniqueIdentifier == next
                    ? entry.document.uniqueIdentifier : nil
            }
        }
        return deleted
    }
}
