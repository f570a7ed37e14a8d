import FresnelJournal
import FresnelModel
import FresnelSystem

/// A journal in memory and what the tests do with it.
struct JournalBench {
    static let directory = "/shard"
    static let location = JournalLocation(
        directory: directory, identity: JournalIdentity(indexName: "shop", shard: ShardID(3)))

    let storage = MemoryStorage()
    let environment: Environment

    init(seed: UInt64 = 1) {
        environment = Environment(
            time: ManualTime(), chance: SeededRandom(seed: seed), storage: storage)
    }

    func open(
        fileBytes: Int = 1 << 20, startingAfter checkpoint: SequenceNumber = .zero
    ) throws(JournalError) -> JournalWriter {
        try JournalWriter(
            Self.location, environment: environment, startingAfter: checkpoint,
            settings: .init(fileBytes: fileBytes))
    }

    /// Every record above a sequence number, and how the journal ends.
    func readAll(
        after: SequenceNumber = .zero
    ) throws(JournalError) -> (records: [JournalRecord], ending: JournalEnding?) {
        var reader = try JournalReader(Self.location, storage: storage, after: after)
        var records: [JournalRecord] = []
        while let record = try reader.next() { records.append(record) }
        return (records, reader.ending)
    }

    func verify() -> JournalVerifier.Report {
        JournalVerifier.verify(Self.location, storage: storage)
    }

    /// The journal's files, oldest first.
    func files() throws -> [String] {
        try everyFile().filter { $0.hasSuffix(".fj") }
    }

    /// Everything in the directory.
    func everyFile() throws -> [String] {
        try storage.list(Self.directory).map { FilePath.join(Self.directory, $0) }
    }

    /// Every file's bytes.
    func contents() throws -> [String: [UInt8]] {
        var contents: [String: [UInt8]] = [:]
        for path in try everyFile() { contents[path] = try storage.read(path) }
        return contents
    }

    /// Records as one shard gets them: with holes in the numbers, bodies of every length.
    static func records(_ count: Int, after start: UInt64 = 0) -> [JournalRecord] {
        var previous = SequenceNumber(start)
        return (0..<count).map { index in
            let sequence = SequenceNumber(previous.value + 1 + UInt64(index % 3))
            defer { previous = sequence }
            return JournalRecord(
                sequence: sequence, previous: previous,
                kind: index % 5 == 4 ? .empty : .batch, client: UInt128(index) << 64 | 7,
                batch: UInt64(index), body: [UInt8](repeating: UInt8(index % 256), count: index))
        }
    }
}

extension JournalWriter {
    /// Appends records and makes them durable.
    func write(_ records: [JournalRecord]) throws(JournalError) {
        for record in records { try append(record) }
        try sync()
    }
}
