import FresnelJSON

extension AttributeHighlights {
    /// The highlights of one text: which text it is, and pairs of UTF-8 offsets in it.
    var json: JSONValue {
        var object = JSONObject()
        object["attribute"] = .string(attribute)
        object["element"] = .integer(Int64(element))
        switch part {
        case .text: break
        case .variant(let language): object["language"] = .string(language)
        case .displayName: object["displayName"] = .bool(true)
        case .handle(let number): object["handle"] = .integer(Int64(number))
        }
        object["ranges"] = .array(
            ranges.map {
                .array([.integer(Int64($0.lowerBound)), .integer(Int64($0.upperBound))])
            })
        object["complete"] = .bool(isComplete)
        return .object(object)
    }
}
