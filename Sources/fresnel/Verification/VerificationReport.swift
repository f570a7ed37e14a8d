import FresnelJSON

/// Prints what differs, and at the end how much was equal.
struct VerificationReport {
    let json: Bool
    private var equal = 0
    private var different = 0
    private var invalid = 0
    private var incomplete = 0

    /// Identifiers shown of each side.
    private static let shown = 5

    init(json: Bool) { self.json = json }

    /// What the process ends with.
    func status(over documents: ReferenceDocuments) -> ExitStatus {
        // Where a line was refused, the file is not what was indexed.
        if different + invalid + documents.refused > 0 { return .failed }
        return incomplete > 0 ? .incomplete : .complete
    }

    /// Counts one query, and shows it when it differs.
    mutating func add(_ verdict: Verification.Verdict, on query: String) {
        switch verdict {
        case .equal: equal += 1
        case .different(let missing, let extra):
            different += 1
            show(query, [("missing", missing), ("extra", extra)])
        case .refusedByOne(let reason):
            different += 1
            show(query, reason)
        case .invalid(let reason):
            invalid += 1
            show(query, reason)
        case .incomplete(let reason):
            incomplete += 1
            show(query, reason)
        }
    }

    /// Shows the totals.
    func finish(documents: ReferenceDocuments) {
        let queries = equal + different + invalid + incomplete
        if let text = documents.refusalText { Streams.complain("fresnel: \(text)") }
        guard !json else {
            let totals: JSONValue = [
                "queries": .integer(Int64(queries)), "equal": .integer(Int64(equal)),
                "different": .integer(Int64(different)),
                "invalid": .integer(Int64(invalid)),
                "incomplete": .integer(Int64(incomplete)),
                "documents": .integer(Int64(documents.count)),
                "refused": .integer(Int64(documents.refused)),
            ]
            let line: JSONValue = ["totals": totals]
            return Streams.say(line)
        }
        Streams.say(
            "\(queries == 1 ? "1 query" : "\(queries) queries") over "
                + "\(ValueText.count(documents.count, "document")): \(equal) equal, "
                + "\(different) different, \(invalid) invalid, \(incomplete) incomplete")
    }

    private func show(_ query: String, _ reason: String) {
        guard json else { return Streams.say(lines: [query, "  \(reason)"]) }
        let line: JSONValue = ["query": .string(query), "reason": .string(reason)]
        Streams.say(line)
    }

    private func show(_ query: String, _ sides: [(name: String, identifiers: [String])]) {
        guard json else {
            Streams.say(query)
            for (name, identifiers) in sides where !identifiers.isEmpty {
                let first = identifiers.prefix(Self.shown).joined(separator: ", ")
                let more = identifiers.count > Self.shown ? ", …" : ""
                Streams.say("  \(name) \(identifiers.count): \(first)\(more)")
            }
            return
        }
        var line = JSONObject()
        line["query"] = .string(query)
        for (name, identifiers) in sides {
            line[name] = .array(identifiers.map { .string($0) })
        }
        Streams.say(JSONValue.object(line))
    }
}
