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
