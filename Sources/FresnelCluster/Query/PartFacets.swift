import FresnelModel
import FresnelWire

// Facets are an addition to an answer: a list that cannot be true takes away the exactness of one
// facet, and nothing of the hits and counts that its worker sent beside it.

/// What one part says of the facets of a query, as far as it is believed.
struct PartFacets: Sendable {
    /// A facet of a part that is not believed, by its place in the request.
    struct Fault: Sendable {
        let place: Int
        /// What the worker did; lowercase, no full stop.
        let description: String
    }

    /// One for each of the request; none where the worker did not count.
    ///
    /// In place of one that is not believed stands a list of no values that may lack all documents
    /// of the part.
    private(set) var lists: [WireFacetCounts] = []
    /// Those that are not believed, each place once.
    private(set) var faults: [Fault] = []
    /// Documents that the part found.
    private let found: UInt64

    /// A part that says nothing.
    init() { found = 0 }

    /// Takes in what a worker said at its end.
    init(of done: WirePartDone, for requests: [WireFacetRequest]) {
        found = done.shards.map(\.found).saturatingSum
        // With an error nothing of them is compared, and its time may be up while it counts.
        let isUncounted =
            done.facets.isEmpty && done.shards.contains { $0.status != .complete }
        guard !done.hasError, !isUncounted, !requests.isEmpty else { return }
        guard done.facets.map(\.attribute) == requests.map(\.attribute) else {
            lists = requests.map(unknown)
            faults = requests.indices.map { place in
                Fault(
                    place: place,
                    description: "counted \(done.facets.count) facets, "
                        + "\(requests.count) were asked for")
            }
            return
        }
        lists = done.facets
        for (place, list) in done.facets.enumerated() {
            if let fault = fault(in: list) { distrust([place], because: fault) }
        }
    }

    /// Believes nothing of some facets any more.
    mutating func distrust(_ places: [Int], because description: String) {
        for place in places where !faults.contains(where: { $0.place == place }) {
            faults.append(Fault(place: place, description: description))
            lists[place] = unknown(lists[place])
        }
    }

    /// Why a list cannot be true; nil when it can.
    private func fault(in list: WireFacetCounts) -> String? {
        guard [list.documents, list.missing].saturatingSum == found else {
            return "counted other documents by \(list.attribute) than it found"
        }
        let counts = list.values.map(\.count) + [list.bound]
        let listed = UInt64(list.values.count)
        guard counts.allSatisfy({ $0 <= list.documents }), list.distinct >= listed,
            (list.distinct > listed) == (list.bound > 0)
        else { return "counted more by \(list.attribute) than there are" }
        guard list.isInOrder else { return "listed values by \(list.attribute) out of order" }
        return nil
    }

    /// A list that says nothing of the values, where the worker's own is not believed.
    private func unknown(_ list: WireFacetCounts) -> WireFacetCounts {
        let isSum = [list.documents, list.missing].saturatingSum == found
        var unknown = WireFacetCounts()
        unknown.attribute = list.attribute
        unknown.documents = isSum ? list.documents : found
        unknown.missing = isSum ? list.missing : 0
        unknown.bound = unknown.documents
        return unknown
    }

    private func unknown(_ request: WireFacetRequest) -> WireFacetCounts {
        var unknown = WireFacetCounts()
        unknown.attribute = request.attribute
        unknown.documents = found
        unknown.bound = found
        return unknown
    }
}

extension WireFacetCounts {
    /// Whether every value stands before the next, once, and the last before all that are left out.
    fileprivate var isInOrder: Bool {
        let isDescending = zip(values, values.dropFirst()).allSatisfy { $0.precedes($1) }
        guard isDescending, let last = values.last else { return isDescending }
        // By bytes: two spellings of one text are two values.
        return last.count >= max(1, bound) && Set(values.map(\.orderKey)).count == values.count
            && values.allSatisfy { $0.value != nil }
    }
}
