import FresnelClient
import FresnelModel

/// Puts the documents of a file into a cluster that a load has started.
struct LoadDocuments {
    private let wanted: LoadClusterOptions.Wanted

    init(_ wanted: LoadClusterOptions.Wanted) {
        self.wanted = wanted
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
