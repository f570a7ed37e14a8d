import FresnelWire

// Where a request names an index it may name an alias: it is taken for the index at once, so that
// nothing behind knows of aliases. Where there is none, nothing is copied.

extension IndexNames {
    /// A search of the indexes that its names lead to.
    func resolved(_ search: WireSearch) -> WireSearch {
        guard !aliases.isEmpty, search.indexes.contains(where: { index(of: $0) != $0 }) else {
            return search
        }
        var search = search
        var indexes: [String] = []
        for name in search.indexes.map(index) where !indexes.contains(name) { indexes.append(name) }
        search.indexes = indexes
        return search
    }

    /// A batch for the index that its name leads to.
    func resolved(_ put: WirePut) -> WirePut {
        let name = index(of: put.index)
        guard name != put.index else { return put }
        var put = put
        put.index = name
        return put
    }

    /// A copy of the index that its name leads to; what is made from a store has its own name.
    func resolved(_ order: WireSnapshot) -> WireSnapshot {
        let name = index(of: order.index)
        guard !order.hasSource, name != order.index else { return order }
        var order = order
        order.index = name
        return order
    }
}
