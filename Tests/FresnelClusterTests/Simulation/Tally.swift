/// What happened in runs, so that a simulation that tests nothing is seen.
struct Tally {
    var steps = 0
    var misfortunes: [Misfortune: Int] = [:]
    /// Disks that were given up as lost, and disks that came back.
    var replacements = 0
    var returns = 0
    /// Queries by the status of their completion.
    var completions: [String: Int] = [:]
    var hits = 0
    var acknowledgements = 0
    /// Queries that were scored with remembered statistics, and workers that found them old.
    var cachedAnswers = 0
    var objections = 0
    /// Requests that ended without an answer of the broker.
    var failures = 0
    /// Pages beside a cursor, answers read to their end, and cursors that had expired.
    var pages = 0
    var answersReadOut = 0
    var expiredCursors = 0
    /// Queries that were followed, rounds of changes, changed hits, and ends that were told.
    var follows = 0
    var rounds = 0
    var changes = 0
    var endedFollows = 0

    mutating func add(_ other: Tally) {
        steps += other.steps
        misfortunes.merge(other.misfortunes, uniquingKeysWith: +)
        completions.merge(other.completions, uniquingKeysWith: +)
        replacements += other.replacements
        returns += other.returns
        hits += other.hits
        acknowledgements += other.acknowledgements
        failures += other.failures
        cachedAnswers += other.cachedAnswers
        objections += other.objections
        pages += other.pages
        answersReadOut += other.answersReadOut
        expiredCursors += other.expiredCursors
        follows += other.follows
        rounds += other.rounds
        changes += other.changes
        endedFollows += other.endedFollows
    }

    var text: String {
        let ends = completions.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        let blows = misfortunes.sorted { $0.key.rawValue < $1.key.rawValue }.map {
            "\($0.value) × \($0.key)"
        }
        return """
            \(steps) steps; queries: \(ends.joined(separator: ", ")); \(hits) hits; \
            \(cachedAnswers) times statistics from the cache, \(objections) times too old; \
            \(acknowledgements) batches acknowledged; \(failures) requests failed; \
            \(pages) pages, \(answersReadOut) answers read out, \(expiredCursors) cursors \
            expired; \
            \(follows) queries followed over \(rounds) rounds with \(changes) changes, \
            \(endedFollows) ended; \
            \(replacements) disks replaced, \(returns) given back; \
            misfortunes: \(blows.joined(separator: ", "))
            """
    }
}
