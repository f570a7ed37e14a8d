import FresnelModel
package import FresnelQuery
package import FresnelWire

extension WireSearch {
    /// Fills what the client left open in the context: once, here, so that no worker reads a clock.
    package mutating func stamp(at moment: Moment) {
        var stamped = context
        if !stamped.hasNow { stamped.now = moment.wall.seconds }
        if stamped.timeZone.isEmpty { stamped.timeZone = "UTC" }
        if stamped.firstWeekday == 0 { stamped.firstWeekday = 1 }
        context = stamped
        if delivery == .unspecified { delivery = .settled }
    }

    /// The instant of a stamped search.
    var instant: Timestamp { Timestamp(seconds: context.now) ?? Timestamp(wholeSeconds: 0) }

    /// The stamp as the query language wants it.
    package var queryContext: QueryContext {
        let context = context
        return QueryContext(
            now: instant, timeZone: context.timeZone, firstWeekday: Int(context.firstWeekday),
            language: context.language.isEmpty ? nil : context.language)
    }

    /// Whether relevance takes part in the order.
    package var isSortedByRelevance: Bool {
        sort.isEmpty || sort.contains { $0.attribute.isEmpty }
    }
}
