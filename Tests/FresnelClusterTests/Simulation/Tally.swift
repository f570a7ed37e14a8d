/// What happened in runs, so that a simulation that tests nothing is seen.
struct Tally {
    var steps = 0
    var misfortunes: [Misfortune: Int] = [:]
    /// Queries by the status of their completion.
    var completions: [String: Int] = [:]
    var hits = 0
    var acknowledgements = 0
    /// Requests that ended without an answer of the broker.
    var failures = 0

    mutating func add(_ other: Tally) {
        steps += other.steps
        misfortunes.merge(other.misfortunes, uniquingKeysWith: +)
        completions.merge(other.completions, uniquingKeysWith: +)
        hits += other.hits
        acknowledgements += other.acknowledgements
        failures += other.failures
    }

    var text: String {
        let ends = completions.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        let blows = misfortunes.sorted { $0.key.rawValue < $1.key.rawValue }.map {
            "\($0.value) × \($0.key)"
        }
        return """
            \(steps) steps; queries: \(ends.joined(separator: ", ")); \(hits) hits; \
            \(acknowledgements) batches acknowledged; \(failures) requests failed; \
            misfortunes: \(blows.joined(separator: ", "))
            """
    }
}
