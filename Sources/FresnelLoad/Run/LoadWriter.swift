package import FresnelClient
package import FresnelModel
import FresnelSystem
import Synchronization

/// Writes documents of the load's own, all in one domain, and removes them at the end.
package final class LoadWriter: Sendable {
    /// The domain of every document that a load writes.
    package static let domain = "fresnel.load"

    private let index: SearchableIndex
    private let prefix: String
    /// Numbers of documents that exist.
    private let living = Mutex<(next: Int, numbers: [Int])>((0, []))

    /// - Parameters:
    ///   - seed: Names the documents, so that two loads do not write the same.
    ///   - share: Names them too, so that processes of one load do not.
    package init(index: SearchableIndex, seed: UInt64, share: LoadShare = .whole) {
        self.index = index
        let part = share == .whole ? "" : "\(share.number + 1)-"
        prefix = "load-\(String(seed, radix: 16))-\(part)"
    }

    /// Makes one write; where nothing is there to change or delete, it indexes.
    func perform(
        _ write: LoadClass.Write, terms: TermSample, _ draws: inout SeededGenerator
    ) async throws(SearchError) {
        if write != .index, let number = take(removing: write == .delete, &draws) {
            let identifier = prefix + String(number)
            switch write {
            case .engage:
                var patch = DocumentPatch(uniqueIdentifier: identifier)
                patch.attributes["useCount"] = .set(.number(Double(draws.next() >> 48)))
                try Self.check(try await index.update([patch]))
            default:
                try Self.check(try await index.delete(identifiers: [identifier]))
            }
            return
        }
        let number = living.withLock { state in
            state.next += 1
            return state.next
        }
        var document = Document(uniqueIdentifier: prefix + String(number))
        document.domainIdentifier = Self.domain
        let text = terms.texts.randomElement(using: &draws) ?? "load"
        document.attributes["contentDescription"] = .string(text)
        try Self.check(try await index.index([document]))
        living.withLock { $0.numbers.append(number) }
    }

    /// Deletes everything that any load wrote into the index.
    package func clear() async throws(SearchError) {
        try Self.check(try await index.delete(domains: [Self.domain]))
        living.withLock { $0.numbers = [] }
    }

    private func take(removing: Bool, _ draws: inout SeededGenerator) -> Int? {
        living.withLock { state in
            guard let place = state.numbers.indices.randomElement(using: &draws) else { return nil }
            guard removing else { return state.numbers[place] }
            state.numbers.swapAt(place, state.numbers.count - 1)
            return state.numbers.removeLast()
        }
    }

    private static func check(_ report: WriteReport) throws(SearchError) {
        if let refusal = report.refusals.first { throw refusal.error }
    }
}

/// The writers of a load: one for each index that a class of its workload writes into.
package struct LoadWriters: Sendable {
    /// In the order of the indexes' names.
    private let writers: [(index: IndexName, writer: LoadWriter)]

    /// - Parameters:
    ///   - settings: A class without an index of its own writes into the first of theirs.
    ///   - share: As of ``LoadWriter``.
    package init(
        _ settings: LoadSession.Settings, _ client: SearchClient, share: LoadShare = .whole
    ) {
        let workload = settings.workload.asking(settings.indexes)
        writers = workload.writtenIndexes.map { name in
            (name, LoadWriter(index: client.index(name), seed: settings.seed, share: share))
        }
    }

    /// Who writes for a class; nil of one that does not write.
    func writer(of kind: LoadClass) -> LoadWriter? {
        let index = kind.writtenIndex
        return writers.first { $0.index == index }?.writer
    }

    /// Deletes everything that any load wrote into any of the indexes.
    ///
    /// - Throws: the first `SearchError`, after all were tried.
    package func clear() async throws(SearchError) {
        var failure: SearchError?
        for (_, writer) in writers {
            do throws(SearchError) {
                try await writer.clear()
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }
}
