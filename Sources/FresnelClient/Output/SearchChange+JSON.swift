package import FresnelJSON

extension SearchChange {
    /// The change as one line of the command line's NDJSON: `added`, `removed` or `changes`.
    package var json: JSONValue {
        var line = JSONObject()
        switch self {
        case .removed(let hit, let index):
            line["removed"] = hit.jsonOfChange
            line["index"] = .string(index.text)
        case .added(let hit, let index):
            line["added"] = hit.jsonOfChange
            line["index"] = .string(index.text)
        case .reached(let state):
            line["changes"] = state.json
        }
        return .object(line)
    }

    /// The change as compact JSON text.
    public var jsonText: String { json.serialized() }
}

extension SearchState {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        object["from"] = former.json
        object["to"] = snapshot.json
        object["now"] = .string(now.description)
        object["added"] = .integer(Int64(clamping: added))
        object["removed"] = .integer(Int64(clamping: removed))
        return .object(object)
    }
}

extension [IndexName: SequenceNumber] {
    /// The sequence numbers by the names of their indexes, in order of name.
    var json: JSONValue {
        var object = JSONObject()
        for (index, sequence) in sorted(by: { $0.key < $1.key }) {
            object[index.text] = .integer(Int64(clamping: sequence.value))
        }
        return .object(object)
    }
}
