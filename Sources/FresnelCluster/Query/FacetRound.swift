import FresnelModel
import FresnelWire

/// The second round of a query's facets: asks for the values that workers left out.
///
/// It is a query of its own over the same shards at the same numbers and instant, whose hits are
/// the values in their order (Documentation/protocol.md, Q-46 and Q-47); credit, bounds, merging,
/// the loss of workers and what they may say are those of every query. Its parts are numbered
/// behind those of the first round. Legal transitions: `running → whole` or `running → failed`.
struct FacetRound: Sendable {
    enum State {
        case running
        /// Every value came.
        case whole
        /// A part is missing: the lists of the first round stand.
        case failed
    }

    private(set) var state = State.running
    /// The parts of the first round whose lists were added up.
    let counted: [Int]
    /// The parts of the first round that were asked again.
    let asked: [Int]
    /// One stream; in an array, since it stands inside of a stream.
    private var streams: [QueryStream]
    /// What one round told, and the lists it gives.
    private let merges: [FacetMerge]
    private let lists: [WireFacetCounts]
    /// Places of the facets that it was not enough for, and what becomes of them.
    let places: [Int]
    private var rests: [FacetRestMerge]

    /// - Returns: nil when every list is exact, or when one that is not cannot become it.
    init?(
        of stream: QueryStream, _ merges: [FacetMerge], _ lists: [WireFacetCounts], at now: Instant
    ) {
        // A worker that is not believed is not asked for more of that.
        let inexact = lists.indices.filter {
            lists[$0].bound > 0 && !stream.isDistrusted(facet: $0)
        }
        counted = stream.countedParts
        asked = counted.filter { number in
            inexact.contains { stream.parts[number].facets.lists[$0].bound > 0 }
        }
        let isWhole = asked.allSatisfy { number in
            !stream.parts[number].isWorkerLost
                && stream.parts[number].reports.allSatisfy { $0.status == .complete }
        }
        guard !inexact.isEmpty, isWhole else { return nil }
        self.merges = merges
        self.lists = lists
        places = inexact
        rests = inexact.map { FacetRestMerge(merges[$0]) }
        let parts = asked.map { number in inexact.map { stream.parts[number].facets.lists[$0] } }
        let plan = stream.plan.rest(
            of: inexact, lists: parts, ofParts: asked.map { stream.parts[$0] })
        var round = QueryStream(
            plan, request: stream.envelope,
            workerID: stream.workerID, at: now, deadline: stream.deadline,
            windowBytes: Limits.hitBatchBytes, firstPart: stream.parts.count)
        for (number, list) in parts.enumerated() {
            round.parts[number].rest = FacetRestCheck(list, asking: round.plan.rest[number])
        }
        streams = [round]
    }

    /// Whether a part of this number is the worker's.
    func hasPart(_ number: Int, of worker: WorkerID) -> Bool {
        parts.indices.contains(number) && parts[number].worker == worker
    }

    /// The parts of the round.
    var parts: [QueryPart] { streams[0].parts }

    /// When it began.
    var startedAt: Instant { streams[0].startedAt }

    /// What its first liar said, with the number of its part in the first round.
    var fault: (part: Int, fault: StreamFault)? {
        streams[0].firstFault.map { (asked[$0.part], $0.fault) }
    }

    /// The facets of the whole answer; nil unless every value came.
    mutating func finish() -> [WireFacetCounts]? {
        guard case .whole = state else { return nil }
        var lists = lists
        for (number, place) in places.enumerated() {
            guard let values = rests[number].finish() else { return nil }
            lists[place] = merges[place].counts(with: values, distinct: rests[number].distinct)
        }
        return lists
    }

    /// Asks no more.
    mutating func stop(at now: Instant) -> [QueryStream.Action] {
        drive(at: now) { $0.cancel(at: now) }
    }

    /// Lets the round act, and takes in what comes of it.
    mutating func drive(
        at now: Instant, _ act: (inout QueryStream) -> [QueryStream.Action]
    ) -> [QueryStream.Action] {
        guard case .running = state else { return [] }
        var acted = act(&streams[0])
        if streams[0].isBroken, streams[0].phase != .finished {
            acted += streams[0].cancel(at: now)
        }
        return acted.filter { action in
            guard case .toClient(let message) = action else { return true }
            switch message.command {
            case .found: add(message.payload ?? [])
            case .done(let done): state = done.complete ? .whole : .failed
            default: break
            }
            return false
        }
    }

    /// Adds values that are due; each part's were looked at when they came.
    private mutating func add(_ payload: [UInt8]) {
        let batch: HitBatchReader
        do throws(WireError) {
            batch = try HitBatchReader(payload)
        } catch {
            preconditionFailure("a batch of values that was made here is damaged: \(error)")
        }
        for position in 0..<batch.count {
            let key = batch.key(position)
            guard let place = key.first,
                let count = FacetRestEntry.count(of: batch.body(position))
            else { preconditionFailure("value \(position) of a batch was not looked at") }
            rests[Int(place)].add(key.dropFirst(), count: count)
        }
    }
}

extension QueryPlan {
    /// Whether this is the second round of facets.
    var isRest: Bool { !rest.isEmpty }

    /// The plan of the second round.
    ///
    /// - Parameters:
    ///   - places: the facets that one round was not enough for.
    ///   - lists: of each part that is asked, what it listed of them.
    ///   - parts: those that are asked, as the first round left them.
    fileprivate func rest(
        of places: [Int], lists: [[WireFacetCounts]], ofParts parts: [QueryPart]
    ) -> QueryPlan {
        var plan = self
        plan.parts = parts.map { (worker: $0.worker, targets: $0.readTargets) }
        plan.unreachable = []
        plan.scored = []
        plan.warnings = []
        plan.page = nil
        plan.search.facets = places.map { search.facets[$0] }
        plan.search.countOnly = false
        plan.search.clearLimit()
        plan.search.sort = []
        plan.search.attributes = []
        plan.search.allAttributes = false
        plan.search.highlight = false
        plan.search.explain = false
        plan.search.delivery = .settled
        plan.search.coverage = 1
        plan.search.creditItems = .max
        plan.search.creditBytes = .max
        plan.rest = lists.map { lists in
            lists.enumerated().filter { $0.element.bound > 0 }.map { place, list in
                var rest = WireFacetRest()
                rest.facet = UInt32(place)
                if let last = list.values.last { rest.last = last }
                return rest
            }
        }
        return plan
    }
}

extension QueryPart {
    /// The shards as they were read: a part of a batch that was given up may have come since, with
    /// a number below the snapshot.
    fileprivate var readTargets: [SearchableShard] {
        zip(targets, reports).map { target, report in
            var target = target
            target.snapshot = min(target.snapshot, SequenceNumber(report.sequence))
            return target
        }
    }
}
