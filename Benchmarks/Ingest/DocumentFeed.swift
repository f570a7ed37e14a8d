import FresnelClient
import FresnelModel
import FresnelSystem

/// Documents of a file, a batch at a time, for many tasks.
actor DocumentFeed {
    private let reader: ImportReader
    private let batch: Int

    init(path: String, batch: Int) throws {
        reader = try ImportReader(.file(path), options: ImportOptions(format: .ndjson))
        self.batch = batch
    }

    /// The next batch; nil at the end of the file.
    func next() throws -> [Document]? {
        var documents: [Document] = []
        while documents.count < batch, let record = try reader.next() {
            if case .document(let document, _) = record { documents.append(document) }
        }
        return documents.isEmpty ? nil : documents
    }
}
