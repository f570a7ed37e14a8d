import FresnelJSON

extension FacetCounts {
    /// The counts of one attribute, as they stand in a completion.
    ///
    /// - Parameter isWhole: whether all that was to be searched was; else nothing is called exact.
    func json(isWhole: Bool) -> JSONValue {
        var object = JSONObject()
        object["attribute"] = .string(attribute)
        object["values"] = .array(entries.map(\.json))
        object["documents"] = .integer(Int64(clamping: documents))
        object["missing"] = .integer(Int64(clamping: missing))
        object["distinct"] = distinct.map { .integer(Int64(clamping: $0)) } ?? .null
        object["exact"] = .bool(isExact && isWhole)
        object["bound"] = .integer(Int64(clamping: bound))
        object["rounds"] = .integer(Int64(rounds))
        return .object(object)
    }
}

extension FacetCounts.Entry {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        object["value"] = value.json
        object["count"] = .integer(Int64(clamping: count))
        return .object(object)
    }
}
