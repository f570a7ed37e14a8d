import FresnelClient
import FresnelJSON
import FresnelModel

/// The answer of an earlier `fresnel search --json`, read back from where it was kept.
enum AnswerFile {
    /// The last completion: behind that of a followed answer stand its changes.
    static func completion(in source: ImportSource) throws -> Completion {
        guard let line = try source.lastLine(with: "\"completion\"") else {
            throw CommandError.usage("\(source.name) is empty")
        }
        do throws(JSONError) {
            let value = try JSONValue(parsing: line)["completion"]
            if let completion = value.flatMap(Completion.init) { return completion }
        } catch {
            throw CommandError.usage("\(source.name): \(error)")
        }
        throw CommandError.usage(
            "\(source.name) holds no completion; keep the whole output of "
                + "fresnel search --json")
    }
}

extension Completion {
    /// What an answer said of itself; nil for anything else.
    fileprivate init?(_ value: JSONValue) {
        guard let status = value["status"]?.string.flatMap(Status.init) else { return nil }
        let shards = (value["shards"]?.array ?? []).compactMap(ShardReport.init)
        self.init(status: status, shards: shards)
        found = value.count("found")
        searched = value.count("searched")
        owned = value.count("owned")
        delivered = value.count("delivered")
        statistics = value["statistics"]?.string.flatMap(Statistics.init) ?? .none
        elapsed = .microseconds(Int64(clamping: value.count("elapsedMicroseconds")))
        if let failure = value["error"], let message = failure["message"]?.string {
            let code = failure["code"]?.integer ?? 0
            error = SearchError(
                SearchError.Code(rawValue: Int32(clamping: code)), message,
                offset: failure["offset"]?.integer.map { Int($0) })
            error?.hint = failure["hint"]?.string
        }
    }
}

extension ShardReport {
    fileprivate init?(_ value: JSONValue) {
        guard let name = value["index"]?.string, let number = value["shard"]?.integer,
            let status = value["status"]?.string.flatMap(ShardStatus.init),
            let index = try? IndexName(name)  // nil: no name of an index
        else { return nil }
        self.init(
            index: index, shard: ShardID(UInt32(clamping: number)),
            worker: value["worker"]?.string.map { WorkerID($0) }, status: status)
        searched = value.count("searched")
        owned = value.count("owned")
        found = value.count("found")
        scored = value.count("scored")
        skipped = value.count("skipped")
        knownFilters = value.count("knownFilters")
        message = value["message"]?.string ?? ""
        if let times = value["microseconds"] {
            timings = Timings(
                queue: times.known("queue"), match: times.known("match"),
                score: times.known("score"), fetch: times.known("fetch"),
                wire: times.known("wire"))
        }
    }
}

extension JSONValue {
    /// A count that is not negative; 0 where there is none.
    fileprivate func count(_ key: String) -> UInt64 {
        known(key) ?? 0
    }

    /// A count that is not negative; nil where there is none.
    fileprivate func known(_ key: String) -> UInt64? {
        self[key]?.integer.map { UInt64(clamping: $0) }
    }
}
