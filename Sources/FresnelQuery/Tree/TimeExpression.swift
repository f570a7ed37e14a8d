/// A `$time` form (Documentation/query-language.md, "Dates").
package struct TimeExpression: Hashable, Sendable {
    /// The calendar unit the name stands for, or an instant.
    package enum Base: Hashable, Sendable {
        case now
        case day
        case week
        case month
        case year
        /// An ISO 8601 text, already checked: it has a day, perhaps a time, perhaps a zone.
        case iso(String)
    }

    /// A unit letter of an offset, or the base's own unit.
    package enum Unit: String, Hashable, Sendable {
        case second = "s"
        case minute = "m"
        case hour = "h"
        case day = "d"
        case week = "w"
        case month = "M"
        case year = "y"
    }

    package var base: Base
    /// Added to the base, in `unit`; `yesterday` is day −1, `next_week` is week +1.
    package var offset: Int
    package var unit: Unit

    package init(base: Base, offset: Int = 0, unit: Unit) {
        self.base = base
        self.offset = offset
        self.unit = unit
    }
}
