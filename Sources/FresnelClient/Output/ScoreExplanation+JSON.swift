package import FresnelJSON

extension ScoreExplanation {
    /// The explanation as JSON; numbers have all their digits.
    package var json: JSONValue {
        var object = JSONObject()
        object["total"] = .number(total)
        object["saturation"] = .number(saturation)
        object["lengthShare"] = .number(lengthShare)
        object["terms"] = .array(terms.map(\.json))
        return .object(object)
    }
}

extension ScoreExplanation.Term {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        object["query"] = .string(query)
        object["contribution"] = .number(contribution)
        object["rarity"] = .number(rarity)
        object["matching"] = .integer(Int64(clamping: matching))
        object["documents"] = .integer(Int64(clamping: documents))
        object["weighted"] = .number(weighted)
        object["attributes"] = .array(attributes.map(\.json))
        return .object(object)
    }
}

extension ScoreExplanation.Attribute {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        object["name"] = .string(name)
        object["occurrences"] = .integer(Int64(occurrences))
        object["length"] = .integer(Int64(length))
        object["referenceLength"] = .number(referenceLength)
        object["weight"] = .number(weight)
        object["weighted"] = .number(weighted)
        return .object(object)
    }
}
