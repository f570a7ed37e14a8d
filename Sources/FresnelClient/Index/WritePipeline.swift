import FresnelWire

/// Turns the operations of one call into batches, several of them on their way at once.
///
/// Memory is bounded: when as many batches as allowed wait for their acknowledgement, adding waits
/// for the oldest. Acknowledgements are taken in the order of the batches.
struct WritePipeline {
    private let index: SearchableIndex
    private var assembler: BatchAssembler
    private var inFlight: [SentBatch] = []
    private(set) var report = WriteReport()
    private var encoder = PlainDocumentEncoder()
    /// What documents of this batch may hold that are encoded at once.
    private var types: PlainTypes

    init(_ index: SearchableIndex, acceptsWarnings: Bool = false) {
        self.index = index
        types = index.plainTypes
        assembler = BatchAssembler(index, acceptsWarnings: acceptsWarnings)
    }

    /// Adds an operation; one that is not valid is noted in the report.
    mutating func add(_ operation: BatchOperation, position: Int) async throws(SearchError) {
        if assembler.isEmpty { types = index.plainTypes }
        let prepared: PreparedOperation
        do throws(SearchError) {
            prepared = try index.prepare(operation, by: &encoder, types)
        } catch {
            return refuse(operation.uniqueIdentifier, position, error)
        }
        let entry = SentBatch.Entry(operation: prepared, position: position)
        do throws(SearchError) {
            if try assembler.append(entry) { return }
        } catch {
            return refuse(operation.uniqueIdentifier, position, error)
        }
        try await send()
        do throws(SearchError) {
            let isAdded = try assembler.append(entry)
            precondition(isAdded, "an empty batch has no room for operation \(position)")
        } catch {
            refuse(operation.uniqueIdentifier, position, error)
        }
    }

    /// Sends what is left and waits for every acknowledgement.
    mutating func finish() async throws(SearchError) -> WriteReport {
        try await send()
        while !inFlight.isEmpty { try await settleOldest() }
        report.refusals.sort { $0.position < $1.position }
        return report
    }

    private mutating func send() async throws(SearchError) {
        guard let batch = assembler.send() else { return }
        inFlight.append(batch)
        while inFlight.count > ClientLimits.batchesInFlight { try await settleOldest() }
    }

    private mutating func settleOldest() async throws(SearchError) {
        let batch = inFlight.removeFirst()
        let outcome = try await batch.outcome()
        index.acknowledge(batch)
        report.applied += outcome.applied
        report.deleted += outcome.deleted
        for (entry, error) in outcome.refused {
            refuse(entry.operation.uniqueIdentifier, entry.position, error)
        }
    }

    private mutating func refuse(
        _ identifier: String?, _ position: Int, _ error: SearchError
    ) {
        report.refusals.append(
            ItemRefusal(
                position: position, uniqueIdentifier: identifier, error: error))
    }
}
