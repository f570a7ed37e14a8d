package import FresnelWire

// Every batch carries, as the client state, how far the batches before it are acknowledged: what
// the index holds is never less than what the state says. So an import that was killed goes on
// where its state stands and repeats at most what was on its way, which changes nothing.
//
// A state is committed only in place of the one that this import knows to be stored
// (ImportSession+State), so that two imports into one index never undo each other's.
//
// The last operations are held back until the end, because their batch removes the sources from the
// state: it is sent when all others are acknowledged.

/// Puts many documents into an index, and goes on where an earlier run was interrupted.
///
///     let session = try await index.startImport()
///     for source in sources {
///         let reader = try ImportReader(source, options: options)
///         try await session.run(reader)
///     }
///     let progress = try await session.finish()
///
/// One import at a time: an index remembers how far one of them is. One that begins while another
/// is at work ends with `SearchError` of code `.mismatchedClientState` after its first batches,
/// which stay; the other one goes on. Standard input is never remembered.
///
/// For one task at a time.
public final class ImportSession {
    /// Called whenever the progress changed by a batch.
    public var onProgress: (ImportProgress) -> Void = { _ in }
    /// Called for every entry that cannot be used, with the name of its source.
    public var onRefusal: (String, ImportRefusal) -> Void = { _, _ in }
    /// How far the import has come.
    public internal(set) var progress = ImportProgress()

    let index: SearchableIndex
    /// What this import is called in the states that it writes.
    let name: String
    private var assembler: BatchAssembler
    var inFlight: [(batch: SentBatch, mark: Mark)] = []
    var token: ImportToken
    private var source: (name: String, fingerprint: String?) = ("", nil)
    private(set) var begun: Set<String> = []
    /// What this import knows of the stored state.
    var known: KnownState
    /// The line behind the newest operation of each batch being gathered.
    private var linesConsumed = 0
    /// What documents may hold that are encoded without being decoded.
    package private(set) var types: PlainTypes
    private var encoder = PlainDocumentEncoder()

    /// What is durable once a batch is.
    struct Mark {
        let name: String
        let fingerprint: String?
        let lines: Int
    }

    init(_ index: SearchableIndex, state: ClientState?, operationLimit: Int) {
        self.index = index
        assembler = BatchAssembler(index, operationLimit: operationLimit)
        token = ImportToken(state)
        known = KnownState(state?.bytes ?? [], owner: token.owner)
        name = index.connection.freshName()
        types = index.plainTypes
        token.owner = name
    }

    /// Lines of a source that an earlier run has put into the index for good; 0 for a fresh start.
    ///
    /// - Throws: `SearchError` when the source is not there.
    public func resumePoint(for source: ImportSource) throws(SearchError) -> Int {
        try source.fingerprint().map { token.lines(of: $0) } ?? 0
    }

    /// Imports what a reader gives, without what an earlier run has imported.
    ///
    /// - Throws: `SearchError` when the source cannot be read or the cluster fails for good.
    public func run(_ reader: ImportReader) async throws(SearchError) {
        let done = try resumePoint(for: reader.source)
        try await begin(reader.source)
        while let entry = try reader.nextEntry(types) {
            if reader.linesConsumed <= done {
                progress.skipped += 1
            } else {
                try await add(entry, through: reader.linesConsumed)
            }
        }
    }

    /// Begins a source; what follows comes from it.
    ///
    /// - Throws: `SearchError` when the source is not there or the batch before it fails.
    public func begin(_ source: ImportSource) async throws(SearchError) {
        // A batch holds entries of one source, so that its lines are those of one source.
        if !assembler.isEmpty { try await send() }
        let fingerprint = try source.fingerprint()
        self.source = (source.name, fingerprint)
        linesConsumed = fingerprint.map { token.lines(of: $0) } ?? 0
        if let fingerprint { begun.insert(fingerprint) }
    }

    /// Adds an entry; waits while as much is on its way as may be.
    ///
    /// - Parameter line: the last line of the entry (`ImportReader.linesConsumed`).
    /// - Throws: `SearchError` when the cluster fails for good.
    public func add(_ record: ImportRecord, through line: Int) async throws(SearchError) {
        progress.read += 1
        switch record {
        case .refused(let refusal): refuse(source.name, refusal)
        case .document(let document, let start):
            noteDate(of: document)
            try await add(.index(document), at: start, through: line)
        case .patch(let patch, let start):
            try await add(.update(patch), at: start, through: line)
        }
    }

    /// Adds an entry that was read with `types`, as `add` of its record would.
    ///
    /// - Throws: `SearchError` when the cluster fails for good.
    package func add(_ entry: ImportEntry, through line: Int) async throws(SearchError) {
        switch entry {
        case .record(let record): try await add(record, through: line)
        case .flat(let document, let start):
            index.declareTexts(of: document)
            try await add(.document(document, line: start), through: line)
        case .plain(let document, let start):
            progress.read += 1
            progress.hasUndated = true
            try await add(
                SentBatch.Entry(operation: .document(document), position: start), through: line)
        }
    }

    /// Sends what is left and waits until everything is acknowledged.
    ///
    /// - Throws: `SearchError` when the cluster fails for good; run the import again then.
    public func finish() async throws(SearchError) -> ImportProgress {
        try await settle(downTo: 0)
        let before = token
        for fingerprint in begun { token.remove(fingerprint) }
        token.owner = nil
        // Where no state is stored, and none was sent, there is none to clear: an import without a
        // document changes nothing, and makes no index.
        let hasState = !begun.isEmpty && !known.expected.isEmpty
        if assembler.isEmpty, hasState, before != token { try appendNothing() }
        try await send(whole: true)
        try await settle(downTo: 0)
        return progress
    }

    /// Waits until everything that was sent is acknowledged, and leaves the import there.
    ///
    /// What was added and not sent yet is forgotten; a later run of the import goes on from what is
    /// acknowledged.
    ///
    /// - Throws: `SearchError` when the cluster fails for good.
    public func stop() async throws(SearchError) {
        try await settle(downTo: 0)
    }

    private func add(
        _ operation: BatchOperation, at start: Int, through line: Int
    ) async throws(SearchError) {
        let prepared: PreparedOperation
        do throws(SearchError) {
            prepared = try index.prepare(operation, by: &encoder, types)
        } catch {
            return refuse(source.name, ImportRefusal(line: start, reason: error.message))
        }
        try await add(SentBatch.Entry(operation: prepared, position: start), through: line)
    }

    private func add(
        _ entry: SentBatch.Entry, through line: Int
    ) async throws(SearchError) {
        do throws(SearchError) {
            if try assembler.append(entry) {
                linesConsumed = line
                return
            }
        } catch {
            return refuse(
                source.name, ImportRefusal(line: entry.position, reason: error.message))
        }
        try await send()
        do throws(SearchError) {
            let isAdded = try assembler.append(entry)
            precondition(isAdded, "an empty batch has no room for line \(entry.position)")
            linesConsumed = line
        } catch {
            refuse(source.name, ImportRefusal(line: entry.position, reason: error.message))
        }
    }

    private func noteDate(of document: Document) {
        if document.expirationDate == nil {
            progress.hasUndated = true
        } else {
            progress.hasDated = true
        }
    }

    /// A state travels with an operation; this one does nothing, is of no line and is not counted.
    private func appendNothing() throws(SearchError) {
        let nobody = BatchOperation.deleteIdentifier(SearchableIndex.nobody)
        _ = try assembler.append(SentBatch.Entry(operation: .operation(nobody), position: 0))
    }

    private func send(whole isWhole: Bool = false) async throws(SearchError) {
        let mark = Mark(
            name: source.name, fingerprint: isWhole ? nil : source.fingerprint,
            lines: linesConsumed)
        guard let batch = sendBatch(of: &assembler) else { return }
        inFlight.append((batch, mark))
        // With the keys that this import has added.
        types = index.plainTypes
        try await settle(downTo: ClientLimits.batchesInFlight)
    }

    func refuse(_ source: String, _ refusal: ImportRefusal) {
        progress.refused += 1
        onRefusal(source, refusal)
    }
}

extension SearchableIndex {
    /// Begins an import, at the state where an earlier one stopped.
    ///
    /// - Parameter operationLimit: the most operations of one batch.
    /// - Throws: `SearchError` when the cluster cannot be asked.
    public func startImport(
        operationLimit: Int = Limits.operationsPerBatch
    ) async throws(SearchError) -> ImportSession {
        try await loadSchema()
        let state = try await connection.clientState(of: name)
        return ImportSession(
            self, state: try state.map { bytes throws(SearchError) in try ClientState(bytes) },
            operationLimit: operationLimit)
    }
}
