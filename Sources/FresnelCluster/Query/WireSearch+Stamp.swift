import FresnelModel
package import FresnelQuery
package import FresnelWire

extension WireSearch {
    /// Fills what the client left open in the context: once, here, so that no worker reads a clock.
    package mutating func stamp(at moment: Moment) {
        if !context.hasNow { context.now = moment.wall.seconds }
        if context.timeZone.isEmpty { context.timeZone = "UTC" }
        if context.firstWeekday == 0 { context.firstWeekday = 1 }
        if delivery == .unspecified { delivery = .settled }
    }

    /// The stamp as the query language wants it.
    package var queryContext: QueryContext {
        QueryContext(
            now: Timestamp(seconds: context.now) ?? Timestamp(wholeSeconds: 0),
            timeZone: context.timeZone, firstWeekday: Int(context.firstWeekday),
            language: context.language.isEmpty ? nil : context.language)
    }

    /// Whether relevance takes part in the order.
    package var isSortedByRelevance: Bool {
        sort.isEmpty || sort.contains { $0.attribute.isEmpty }
    }
}
