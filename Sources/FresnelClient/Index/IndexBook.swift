import FresnelWire

/// What a handle of an index remembers between calls: attribute keys and batch numbers.
struct IndexBook {
    /// The keys of the index, as far as this handle knows them.
    private(set) var schema = AttributeSchema()
    /// Whether the keys were asked of the cluster.
    private(set) var isLoaded = false
    /// Keys that no acknowledged batch has carried yet; every batch carries them until then.
    private(set) var unacknowledged: [String: CustomAttributeKey] = [:]
    private var lastNumber: UInt64
    /// Whether a text more may be covered by `**` without being declared.
    private var hasRoomForTexts = true
    /// Of `schema`; nil when that is another one since.
    private var types: PlainTypes?

    init(lastNumber: UInt64) { self.lastNumber = lastNumber }

    mutating func takeNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    /// Learns the keys the index has; what was inferred here meanwhile gives way.
    mutating func load(_ known: AttributeSchema) {
        schema = known
        types = nil
        isLoaded = true
        for key in unacknowledged.values.sorted(by: { $0.name < $1.name }) {
            do throws(SchemaError) {
                try schema.declare(key)
            } catch {
                unacknowledged[key.name] = nil
            }
        }
    }

    /// Adds a key.
    mutating func declare(_ key: CustomAttributeKey) throws(SchemaError) {
        let isNew = schema.customKeys[key.name] == nil
        try schema.declare(key)
        if isNew { unacknowledged[key.name] = key }
    }

    /// Adds the keys of the texts of a document, so that `**` covers them.
    ///
    /// Those behind the first `ClientLimits.inferredTextKeys` of an index are inferred as other
    /// keys are: a query with `**` looks into each one that it covers.
    mutating func declareTexts(of document: Document) {
        for (name, value) in document.attributes where !name.isEmpty {
            switch value {
            case .string, .strings: declareText(name, value.type)
            default: continue
            }
        }
    }

    /// Adds a key of texts that `**` covers, unless it is there or there are as many as may be.
    private mutating func declareText(_ name: String, _ type: AttributeType) {
        guard schema.definition(named: name) == nil, hasRoomForTexts else { return }
        guard
            schema.customKeys.values.count(where: \.isSearchableByDefault)
                < ClientLimits.inferredTextKeys
        else {
            hasRoomForTexts = false
            return
        }
        // A name that cannot be a key is refused with its document.
        if let key = try? CustomAttributeKey(name, type, isSearchableByDefault: true) {
            // One key more than there may be is refused with its document, too.
            try? declare(key)
        }
    }

    /// The keys travelled with a batch that was acknowledged.
    mutating func acknowledge(_ keys: [WireCustomKey]) {
        for key in keys { unacknowledged[key.name] = nil }
    }

    /// What documents may hold that are encoded at once.
    mutating func plainTypes() -> PlainTypes {
        if let types, types.areThose(of: schema) { return types }
        let new = PlainTypes(schema)
        types = new
        return new
    }

    /// The keys that the next batch must carry.
    var keysToSend: [WireCustomKey] {
        guard !unacknowledged.isEmpty else { return [] }
        return unacknowledged.values.sorted { $0.name < $1.name }.map(WireCustomKey.init)
    }
}
