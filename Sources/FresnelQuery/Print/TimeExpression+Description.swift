extension TimeExpression: CustomStringConvertible {
    /// The canonical `$time` form: `this_week(-1)` for last week, no unit where it is implied.
    package var description: String {
        if case .iso(let text) = base { return "$time.iso(\(text))" }
        let form = "$time.\(Self.name(of: base))"
        let own = Self.ownUnit(of: base)
        if offset == 0, unit == own { return form }
        return "\(form)(\(offset)\(unit == own ? "" : unit.rawValue))"
    }

    /// The name of the base without any shift.
    package static func name(of base: Base) -> String {
        switch base {
        case .now: "now"
        case .day: "today"
        case .week: "this_week"
        case .month: "this_month"
        case .year: "this_year"
        case .iso: "iso"
        }
    }

    /// The unit of an offset that is written without a letter.
    package static func ownUnit(of base: Base) -> Unit {
        switch base {
        case .now, .iso: .second
        case .day: .day
        case .week: .week
        case .month: .month
        case .year: .year
        }
    }
}
