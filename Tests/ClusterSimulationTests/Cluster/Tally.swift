import FresnelWire

/// What goes wrong with single messages, writes and searches.
enum Mishap: String, CaseIterable {
    case lostMessage
    /// On its way for more than 100 ms.
    case lateMessage
    case doubledMessage
    /// Arrives before what was sent earlier on the other lane.
    case overtakingMessage
    /// Waits because its client does not read.
    case stalledMessage
    case failedStateWrite
    case refusedPart
    case brokenSearch
}

/// What became of a broker's state.
enum StateFate: String, CaseIterable {
    case lost
    case older
    case restored
    case adopted
    /// What is left of a removed index was moved away.
    case tidied
}

/// What happened in runs, so that a simulation that tests nothing is seen.
struct Tally {
    var steps = 0
    var misfortunes: [Misfortune: Int] = [:]
    var mishaps: [Mishap: Int] = [:]
    var disks: [DiskFault: Int] = [:]
    /// Times that wall clocks were set.
    var clockJumps = 0
    var states: [StateFate: Int] = [:]
    /// Incomplete answers of brokers that knew too little.
    var honestAnswers = 0
    /// Stored client states whose items were looked for in the end.
    var statesCompared = 0
    /// Disks that were given up as lost, and disks that came back.
    var replacements = 0
    var returns = 0
    /// Disks that came back older than they were.
    var agedDisks = 0
    /// Copies whose workers said that they have everything, and have not.
    var lies = 0
    /// Batches under a number that another one had.
    var reusedNumbers = 0
    /// HELLOs of strangers under workers' names.
    var namesakes = 0
    /// Queries by the status of their completion.
    var completions: [String: Int] = [:]
    var hits = 0
    /// Replicas that were copied, that left the in-sync set, and queries asked elsewhere.
    var copies = 0
    var exclusions = 0
    /// Those of them that refused a part for no fault of their disk.
    var refusing = 0
    var moves = 0
    /// What operators did, plans that were refused, moves that came to their end, and replicas that
    /// were removed.
    var membership: [MembershipChange: Int] = [:]
    var refusedPlans = 0
    var finishedMoves = 0
    var drops = 0
    /// Indexes that were made, removed and filled, aliases that changed over, and directories that
    /// were not the ones that were to be removed.
    var indexChanges: [IndexChange: Int] = [:]
    var asides = 0
    var acknowledgements = 0
    /// Queries that were scored with remembered statistics, and workers that found them old.
    var cachedAnswers = 0
    var keptAnswers = 0
    var objections = 0
    /// Requests that ended without an answer of the broker.
    var failures = 0
    /// Pages beside a cursor, answers read to their end, and cursors that had expired.
    var pages = 0
    var answersReadOut = 0
    var expiredCursors = 0
    /// Batches with a bound, those that were nothing else, thresholds that reached a search, and
    /// hits that it left out then.
    var bounds = 0
    var loneBounds = 0
    var thresholds = 0
    var leftOut = 0
    /// Answers that were compared with the exact order, hit by hit.
    var exactOrders = 0

    /// Facets that a second round made exact, those that it did not, and those that needed none.
    var secondRounds = 0
    var brokenRounds = 0
    var singleRounds = 0

    mutating func note(_ mishap: Mishap) { mishaps[mishap, default: 0] += 1 }
    mutating func note(_ fault: DiskFault) { disks[fault, default: 0] += 1 }
    mutating func note(_ fate: StateFate) { states[fate, default: 0] += 1 }
    mutating func note(_ facet: WireFacetCounts) {
        if facet.bound > 0 { brokenRounds += 1 }
        if facet.bound == 0, facet.rounds == 2 { secondRounds += 1 }
        if facet.rounds == 1 { singleRounds += 1 }
    }
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
        agedDisks += other.agedDisks
        namesakes += other.namesakes
        reusedNumbers += other.reusedNumbers
        lies += other.lies
        hits += other.hits
        copies += other.copies
        exclusions += other.exclusions
        refusing += other.refusing
        moves += other.moves
        acknowledgements += other.acknowledgements
        membership.merge(other.membership, uniquingKeysWith: +)
        refusedPlans += other.refusedPlans
        finishedMoves += other.finishedMoves
        drops += other.drops
        indexChanges.merge(other.indexChanges, uniquingKeysWith: +)
        asides += other.asides
        failures += other.failures
        cachedAnswers += other.cachedAnswers
        keptAnswers += other.keptAnswers
        states.merge(other.states, uniquingKeysWith: +)
        honestAnswers += other.honestAnswers
        objections += other.objections
        pages += other.pages
        answersReadOut += other.answersReadOut
        expiredCursors += other.expiredCursors
        mishaps.merge(other.mishaps, uniquingKeysWith: +)
        disks.merge(other.disks, uniquingKeysWith: +)
        statesCompared += other.statesCompared
        clockJumps += other.clockJumps
        bounds += other.bounds
        loneBounds += other.loneBounds
        thresholds += other.thresholds
        leftOut += other.leftOut
        exactOrders += other.exactOrders
        follows += other.follows
        rounds += other.rounds
        secondRounds += other.secondRounds
        brokenRounds += other.brokenRounds
        singleRounds += other.singleRounds
        changes += other.changes
        endedFollows += other.endedFollows
    }

    var text: String {
        let ends = completions.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        let blows = misfortunes.sorted { $0.key.rawValue < $1.key.rawValue }.map {
            "\($0.value) × \($0.key)"
        }
        let slips = mishaps.sorted { $0.key.rawValue < $1.key.rawValue }.map {
            "\($0.value) × \($0.key)"
        }
        let faults = disks.sorted { $0.key.rawValue < $1.key.rawValue }.map {
            "\($0.value) × \($0.key)"
        }
        return """
            \(steps) steps; queries: \(ends.joined(separator: ", ")); \(hits) hits; \
            \(cachedAnswers) times statistics from the cache, \(objections) times too old; \
            \(keptAnswers) answers kept; \
            \(acknowledgements) batches acknowledged; \(failures) requests failed; \
            \(pages) pages, \(answersReadOut) answers read out, \(expiredCursors) cursors \
            expired; \
            \(bounds) bounds, \(loneBounds) of them alone, \(thresholds) thresholds, \
            \(leftOut) hits left out, \(exactOrders) orders compared exactly; \
            \(follows) queries followed over \(rounds) rounds with \(changes) changes, \
            \(endedFollows) ended; \
            \(singleRounds) facets of one round, \(secondRounds) of two, \(brokenRounds) not \
            exact; \
            \(exclusions) replicas taken out (\(refusing) refusing), \(copies) copied, \
            \(moves) parts asked elsewhere; \
            \(membership.values.reduce(0, +)) changes of membership, \(refusedPlans) refused, \
            \(finishedMoves) replicas moved, \(drops) removed; \
            \(indexChanges.values.reduce(0, +)) changes of indexes, \(asides) set aside; \
            \(replacements) disks replaced, \(returns) given back, \(agedDisks) older; \
            \(clockJumps) clocks set; \
            misfortunes: \(blows.joined(separator: ", ")); \
            mishaps: \(slips.joined(separator: ", ")); \
            disks: \(faults.joined(separator: ", "))
            """
    }
}
