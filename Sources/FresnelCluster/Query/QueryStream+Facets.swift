import FresnelModel
import FresnelQuery
import FresnelWire

// Facets: once every part has ended, their lists are added up. Where that is not exact, a second
// round asks for what was left out, beside the hits that are still to be delivered. Whatever keeps
// it from its end, the lists of the first round stand, and say by how much they may be too low.

extension QueryStream {
    /// The parts whose workers listed values.
    var countedParts: [Int] {
        parts.indices.filter { parts[$0].facets.lists.count == plan.search.facets.count }
    }

    /// Whether some part's list of a facet is not believed.
    func isDistrusted(facet place: Int) -> Bool {
        parts.contains { part in part.facets.faults.contains { $0.place == place } }
    }

    /// What is said of facets that are not exact because of what a worker said.
    var facetWarnings: [QueryWarning] {
        guard phase == .finished else { return [] }
        return parts.flatMap { part in
            part.facets.faults.map { fault in
                QueryWarning(
                    offset: nil,
                    message: "the facet by \(plan.search.facets[fault.place].attribute) is not "
                        + "exact: worker \(part.worker) \(fault.description); compare the "
                        + "versions of worker and broker, and report it")
            }
        }
    }

    /// Moves the facets on as far as what is known allows.
    mutating func settleFacets(at now: Instant) -> [Action] {
        guard facetLists == nil, parts.indices.allSatisfy({ !parts[$0].isOpen }) else { return [] }
        guard !plan.search.facets.isEmpty, !plan.isRest else {
            facetLists = []
            return []
        }
        var actions: [Action] = []
        if facetRound == nil {
            let merges = facetMerges
            let lists = merges.map(\.counts)
            facetRound = FacetRound(of: self, merges, lists, at: now)
            guard facetRound != nil else {
                facetLists = lists
                return []
            }
            actions += driveRound(at: now) { $0.begin(at: now) }
        }
        if let (part, fault) = facetRound?.fault, countedParts.contains(part) {
            // It contradicts what it said before, so nothing of that is believed either.
            violations.count(fault.invariant)
            parts[part].facets.distrust(facetRound?.places ?? [], because: fault.description)
            actions += stopRound(at: now)
        }
        if facetRound?.counted != countedParts { actions += stopRound(at: now) }
        if facetRound?.isRunning == false { concludeFacets(at: now) }
        return actions
    }

    /// Lets the second round act.
    mutating func driveRound(
        at now: Instant, _ act: (inout QueryStream) -> [Action]
    ) -> [Action] {
        facetRound?.drive(at: now, act) ?? []
    }

    /// Asks no more for values; what is known of the facets stands.
    mutating func endFacets(at now: Instant) -> [Action] {
        guard facetLists == nil else { return [] }
        let actions = stopRound(at: now)
        concludeFacets(at: now)
        return actions
    }

    /// A part is not believed any more: what was known of the facets is added up without it.
    mutating func forgetFacets() {
        guard let known = facetLists, !known.isEmpty else { return }
        facetLists = zip(known, facetMerges).map { former, merge in
            var counts = merge.counts
            counts.rounds = max(counts.rounds, former.rounds)
            return counts
        }
    }

    private mutating func stopRound(at now: Instant) -> [Action] {
        facetRound?.stop(at: now) ?? []
    }

    /// Says what the facets are, and where the time of the second round went.
    private mutating func concludeFacets(at now: Instant) {
        guard let round = facetRound else {
            facetLists = plan.isRest ? [] : facetMerges.map(\.counts)
            return
        }
        if round.counted == countedParts { facetLists = facetRound?.finish() }
        if facetLists == nil {
            facetLists = facetMerges.map { merge in
                var counts = merge.counts
                if counts.bound > 0 { counts.rounds = 2 }
                return counts
            }
        }
        for (number, part) in zip(round.asked, round.parts) {
            parts[number].addRound(part, microseconds: (now - round.startedAt).wholeMicroseconds)
        }
        // What it kept of values is large, and hits may wait long for their client.
        facetRound = nil
    }

    /// The lists of all parts together.
    private var facetMerges: [FacetMerge] {
        plan.search.facets.enumerated().map { place, request in
            var merge = FacetMerge(request)
            for number in countedParts { merge.add(parts[number].facets.lists[place]) }
            return merge
        }
    }
}

extension FacetRound {
    /// Whether values may still come.
    var isRunning: Bool {
        switch state {
        case .running: true
        case .whole, .failed: false
        }
    }
}

extension QueryPart {
    /// Adds the time of the second round to the reports of the shards.
    ///
    /// - Parameter total: how long the round took; what is not spent in the shards of a part that
    ///   did not end by itself is the wire.
    mutating func addRound(_ round: QueryPart, microseconds total: UInt64) {
        // What its worker told of all its shards, which it searched one after the other.
        let told = round.reports.reduce(round.reports.map(\.queueUs).max() ?? 0) { sum, report in
            [sum, report.matchUs, report.scoreUs, report.fetchUs].saturatingSum
        }
        for number in reports.indices where number < round.reports.count {
            let second = round.reports[number]
            let inside = [second.queueUs, second.matchUs, second.scoreUs, second.fetchUs]
                .saturatingSum
            let wire = round.hasReported ? second.wireUs : total - min(total, told)
            // What is not known of the first round stays unknown where the second adds nothing.
            let keys: [(WritableKeyPath<WireShardReport, UInt64>, UInt64)] = [
                (\.queueUs, second.queueUs), (\.matchUs, second.matchUs),
                (\.scoreUs, second.scoreUs), (\.fetchUs, second.fetchUs), (\.wireUs, wire),
            ]
            for (key, added) in keys where added > 0 {
                reports[number][keyPath: key] =
                    [reports[number][keyPath: key], added].saturatingSum
            }
            reports[number].facetUs = inside.saturatingAdding(wire)
        }
    }
}
