package import FresnelJSON

extension Completion {
    /// The completion as JSON, without the object `{"completion": …}` around it.
    package var json: JSONValue {
        var object = JSONObject()
        object["status"] = .string(status.rawValue)
        object["complete"] = .bool(isComplete)
        object["found"] = Self.number(found)
        object["searched"] = Self.number(searched)
        object["owned"] = Self.number(owned)
        object["delivered"] = Self.number(delivered)
        object["digest"] = .string(digest)
        object["statistics"] = .string(statistics.rawValue)
        if isKept { object["kept"] = .bool(true) }
        object["next"] = next.map { .string($0.description) }
        object["previous"] = previous.map { .string($0.description) }
        object["elapsedMicroseconds"] = .integer(elapsed.wholeNanoseconds / 1000)
        object["snapshot"] = snapshot.json
        if !facets.isEmpty {
            object["facets"] = .array(facets.map { $0.json(isWhole: isComplete) })
        }
        object["warnings"] = .array(warnings.map(\.json))
        object["shards"] = .array(shards.map(\.json))
        object["error"] = error?.json
        return .object(object)
    }

    /// The last line of the command line's NDJSON.
    public var jsonText: String {
        var line = JSONObject()
        line["completion"] = json
        return JSONValue.object(line).serialized()
    }

    fileprivate static func number(_ count: UInt64) -> JSONValue {
        .integer(Int64(clamping: count))
    }
}

extension ShardReport {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        object["index"] = .string(index.text)
        object["shard"] = .integer(Int64(shard.number))
        object["worker"] = worker.map { .string($0.name) } ?? .null
        object["status"] = .string(status.rawValue)
        object["searched"] = Completion.number(searched)
        object["owned"] = Completion.number(owned)
        object["found"] = Completion.number(found)
        object["scored"] = Completion.number(scored)
        object["skipped"] = Completion.number(skipped)
        object["knownFilters"] = Completion.number(knownFilters)
        var microseconds = JSONObject()
        microseconds["queue"] = timings.queue.map(Completion.number)
        microseconds["match"] = timings.match.map(Completion.number)
        microseconds["score"] = timings.score.map(Completion.number)
        microseconds["fetch"] = timings.fetch.map(Completion.number)
        microseconds["wire"] = timings.wire.map(Completion.number)
        if timings.facets > 0 { microseconds["facets"] = Completion.number(timings.facets) }
        object["microseconds"] = .object(microseconds)
        if !message.isEmpty { object["message"] = .string(message) }
        return .object(object)
    }
}

extension Warning {
    /// The warning as JSON, for programs that read the command line's output.
    package var json: JSONValue {
        var object = JSONObject()
        object["message"] = .string(message)
        object["offset"] = offset.map { .integer(Int64($0)) }
        return .object(object)
    }
}

extension SearchError {
    /// The error as JSON, for programs that read the command line's output.
    package var json: JSONValue {
        var object = JSONObject()
        object["code"] = .integer(Int64(code.rawValue))
        object["message"] = .string(message)
        object["isRetriable"] = .bool(isRetriable)
        object["offset"] = offset.map { .integer(Int64($0)) }
        object["hint"] = hint.map { .string($0) }
        return .object(object)
    }
}
