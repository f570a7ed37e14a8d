import FresnelClient
import FresnelLoad
import FresnelModel

/// Puts the documents of a file into a cluster that a load has started.
struct LoadDocuments {
    private let wanted: LoadClusterOptions.Wanted

    init(_ wanted: LoadClusterOptions.Wanted) {
        self.wanted = wanted
    }

    /// Reads the source as it will be imported, and what will be asked, before anything is started.
    ///
    /// - Parameter workload: the name of the workload's file; nil of the standard one.
    /// - Throws: `CommandError` naming what cannot be used: an entry that every import refuses, too
    ///   few documents, no texts to draw words from, a query that cannot be read.
    func check(_ settings: LoadSession.Settings, workload: String?) throws {
        let (name, schema) = (wanted.source.name, AttributeSchema())
        let reader = try ImportReader(
            wanted.source, options: try wanted.layout.options(for: wanted.source, schema: schema))
        let sizes = wanted.documents.compactMap(\.self)
        let most = sizes.count == wanted.documents.count ? sizes.max() ?? .max : .max
        let sampled = min(sizes.min() ?? .max, TermSampler.documentsMost)
        var count = 0
        var texts: [(identifier: String, text: String)] = []
        while count < most, let record = try reader.next() {
            count += 1
            switch record {
            case .refused(let refusal):
                throw CommandError.usage(
                    "\(name):\(refusal); nothing is measured over a part of the entries, so mend "
                        + "this one or take it out")
            case .document(let document, _) where texts.count < sampled:
                let text = TermSampler.text(of: document.attributes, settings.attributes)
                if !text.isEmpty { texts.append((document.uniqueIdentifier, text)) }
            case .document, .patch: break
            }
        }
        for size in sizes where size > count {
            throw CommandError.usage(
                "--documents \(size) is more than \(name) has: \(Figure.count(count, "document"))")
        }
        guard count > 0 else { throw CommandError.usage("\(name) has no documents") }
        let terms = TermSample(documents: texts)
        guard !terms.isEmpty else {
            throw CommandError.usage(
                "no document of \(name) has a text in "
                    + "\(settings.attributes.joined(separator: ", ")) to draw words from; name "
                    + "other attributes with --attributes")
        }
        try check(settings, terms, workload: workload)
    }

    /// Checks what is asked: clusters of the load's own have one index, with nothing declared.
    private func check(
        _ settings: LoadSession.Settings, _ terms: TermSample, workload: String?
    ) throws {
        if let index = settings.indexes.first(where: { $0 != .standard }) {
            throw CommandError.usage(
                "--index \(index.text): clusters that the load starts have the index "
                    + "\(IndexName.standard.text) alone; leave --index out")
        }
        let check = WorkloadCheck(
            terms: terms, seed: settings.seed,
            indexes: [(IndexName.standard.text, AttributeSchema())])
        do throws(PreflightError) {
            try check.checkAll(of: settings.workload)
        } catch {
            throw CommandError.usage("\(workload.map { "\($0): " } ?? "")\(error)")
        }
    }

    /// Imports the first so many documents, all where `most` is nil; returns how many are there.
    ///
    /// - Throws: `CommandError` when an entry is refused or there are fewer than wanted: a
    ///   measurement of other documents than those that were named is none.
    func put(most: Int?, into endpoint: String) async throws -> Int {
        try await withSearchClient(
            to: endpoint, name: "fresnel load", allowsPlaintext: false
        ) { client in
            let index = client.index(.standard)
            let options = try wanted.layout.options(
                for: wanted.source, schema: try await index.schema())
            let session = try await index.startImport(operationLimit: Limits.operationsPerBatch)
            let reader = try ImportReader(wanted.source, options: options)
            try await session.begin(wanted.source)
            var count = 0
            while count < most ?? .max, let record = try reader.next() {
                try Task.checkCancellation()
                try await session.add(record, through: reader.linesConsumed)
                count += 1
            }
            let progress = try await session.finish()
            let name = wanted.source.name
            guard progress.refused == 0 else {
                throw CommandError.failed(
                    "\(progress.refused) of \(count) entries of \(name) are refused; `fresnel "
                        + "index` says why")
            }
            guard count > 0, count == most ?? count else {
                throw CommandError.failed("\(name) has \(count) documents, fewer than --documents")
            }
            return count
        }
    }
}
