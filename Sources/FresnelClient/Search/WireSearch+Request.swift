package import FresnelWire

extension WireSearch {
    /// The request as it travels.
    package init(_ request: SearchRequest) {
        self.init()
        query = request.query
        filters = request.filters
        attributes = request.attributes
        allAttributes = request.returnsAllAttributes
        sort = request.sort.map(WireSortKey.init)
        if let limit = request.limit { self.limit = UInt64(limit) }
        delivery = WireDelivery(request.delivery)
        afterBytes = (request.after ?? request.before)?.bytes ?? []
        backwards = request.before != nil
        countOnly = request.isCountOnly
        strict = request.isStrict
        explain = request.explainsScores
        tellExpirations = request.tellsExpirations
        coverage = request.coverage.fraction
        slot = request.slot ?? ""
        indexes = request.indexes.map(\.text)
        identifiers = request.identifiers
        creditItems = UInt64(max(1, request.credit))
        creditBytes = Limits.clientWindowBytes
        highlight = request.isHighlighted
        follow = request.isFollowed
        unannounced = !request.isAnnounced
        frontCoded = request.takesFrontCoded
        facets = request.facets.map(WireFacetRequest.init)
        if let now = request.now { context.now = now.seconds }
        if let zone = request.timeZone { context.timeZone = zone }
        if let weekday = request.firstWeekday { context.firstWeekday = UInt32(weekday) }
        if let language = request.language { context.language = language }
    }
}

extension SearchRequest {
    /// Whether hits may come front-coded: those of other deliveries have keys.
    var takesFrontCoded: Bool { delivery == .found }
}

extension WireSortKey {
    init(_ key: SortKey) {
        self.init()
        if case .attribute(let name) = key.field { attribute = name }
        descending = !key.isAscending
    }
}

extension WireFacetRequest {
    init(_ request: FacetRequest) {
        self.init()
        attribute = request.attribute
        limit = UInt32(clamping: request.limit)
    }
}

extension WireDelivery {
    init(_ delivery: Delivery) {
        self =
            switch delivery {
            case .found: .found
            case .settled: .settled
            case .final: .final
            }
    }
}
