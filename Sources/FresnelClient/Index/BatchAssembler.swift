import FresnelSystem
import FresnelWire

/// Gathers operations into batches within the limits of the wire.
struct BatchAssembler {
    private let index: SearchableIndex
    private let operationLimit: Int
    /// Whether deletions by queries that have warnings are meant.
    private let acceptsWarnings: Bool
    private var builder: PutBuilder?
    private var entries: [SentBatch.Entry] = []
    /// The keys in the head of the batch.
    private var headKeys: Set<WireCustomKey> = []
    private var yieldPace = YieldPace()

    init(
        _ index: SearchableIndex, operationLimit: Int = Limits.operationsPerBatch,
        acceptsWarnings: Bool = false
    ) {
        self.index = index
        self.acceptsWarnings = acceptsWarnings
        self.operationLimit = min(max(1, operationLimit), Limits.operationsPerBatch)
    }

    var isEmpty: Bool { entries.isEmpty }

    /// Bytes gathered so far.
    var byteCount: Int { builder?.payload.count ?? 0 }

    /// Whether the batch should go before anything is added.
    var isFull: Bool {
        entries.count >= operationLimit || byteCount >= Limits.batchBytes
    }

    /// Adds a prepared operation; false when the batch must be sent first.
    ///
    /// - Throws: `SearchError` when the operation fits no batch at all.
    mutating func append(_ entry: SentBatch.Entry) throws(SearchError) -> Bool {
        guard !isFull else { return false }
        yieldPace.step(every: 4)
        let keys = index.keysToSend
        // Keys travel in the head, which cannot grow once operations are laid out behind it.
        guard builder == nil || keys.allSatisfy(headKeys.contains) else { return false }
        if builder == nil { begin(keys) }
        // Without operations the head means nothing, and other keys may come.
        defer { if entries.isEmpty { builder = nil } }
        do throws(WireError) {
            guard try lay(entry.operation) else { return false }
        } catch {
            throw SearchError(error)
        }
        entries.append(entry)
        return true
    }

    private mutating func begin(_ keys: [WireCustomKey]) {
        builder = PutBuilder(index.head(keys: keys))
        headKeys = Set(keys)
        entries.reserveCapacity(operationLimit)
    }

    /// Lays an operation out in the open batch; false when that is full.
    private mutating func lay(_ operation: PreparedOperation) throws(WireError) -> Bool {
        switch operation {
        case .operation(let operation): try builder?.append(operation) ?? false
        case .document(let document): try builder?.append(document) ?? false
        }
    }

    /// Ends the batch and sends it; nil when there is nothing in it.
    mutating func send(
        state: [UInt8]? = nil, expecting: [UInt8]? = nil
    ) -> SentBatch? {
        guard let builder, !entries.isEmpty else { return nil }
        var put = builder.message
        put.clientStateBytes = state
        put.expectedClientStateBytes = expecting
        put.acceptsWarnings = acceptsWarnings
        let (numbered, reply) = index.send(put, payload: builder.payload)
        let sent = SentBatch(
            put: numbered, payload: builder.payload, entries: entries, reply: reply)
        self.builder = nil
        entries = []
        headKeys = []
        return sent
    }
}

extension SearchError {
    /// An operation that the wire cannot carry.
    init(_ error: WireError) {
        switch error {
        case .tooLarge(.document, let size, let limit):
            self.init(DocumentRefusal.tooLarge(bytes: size, limit: limit))
        default:
            self.init(Code(rawValue: error.code.number), error.description, underlying: error)
        }
    }
}
