package import FresnelModel

/// A parsed query: one Boolean expression over comparisons, before any clock is read.
///
/// Normalised: `!=` is `.not` of `==`, the `t` modifier is rewritten to a conjunction, file-style
/// modifiers and aliases are in their canonical spelling (reference §1.2–1.9).
package indirect enum Expression: Hashable, Sendable {
    /// `true` or `false`, as saved searches end in `&& (true)`.
    case constant(Bool)
    /// Every part holds; at least two parts.
    case and([Expression])
    /// Some part holds; at least two parts.
    case or([Expression])
    /// The part does not hold.
    case not(Expression)
    /// One predicate over one attribute.
    case comparison(Comparison)
}

/// One predicate: an attribute and what its value must satisfy.
package struct Comparison: Hashable, Sendable {
    /// The left side.
    package var attribute: AttributeReference
    /// The right side with its operator.
    package var relation: Relation
    /// UTF-8 offset of the attribute in the query string, for warnings; not part of equality.
    package var offset: Int

    package init(attribute: AttributeReference, relation: Relation, offset: Int = 0) {
        self.attribute = attribute
        self.relation = relation
        self.offset = offset
    }

    package static func == (lhs: Comparison, rhs: Comparison) -> Bool {
        lhs.attribute == rhs.attribute && lhs.relation == rhs.relation
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(attribute)
        hasher.combine(relation)
    }
}

/// The left side of a predicate.
package enum AttributeReference: Hashable, Sendable {
    /// `*`: every default-searchable metadata attribute.
    case searchable
    /// `**`: the same plus text content.
    case searchableAndContent
    /// One attribute by its canonical name (aliases such as `kMDItemTitle` already resolved).
    case named(String)
}

/// What the value of an attribute must satisfy.
package enum Relation: Hashable, Sendable {
    /// `== "*"`: the attribute has a value.
    case exists
    /// `== "…"`: the pattern matches under the modifiers; never holds the `t` modifier.
    case matches(TextPattern)
    /// A number (or Boolean, or date in seconds since 2001) compared.
    case number(OrderOperator, Double)
    /// A date compared with a `$time` form; `.equal` means "inside its span".
    case time(OrderOperator, TimeExpression)
    /// `InRange`, both ends inclusive.
    case range(RangePoint, RangePoint)
}

/// The five orderings; `!=` is `.not` around `.equal`.
package enum OrderOperator: String, Hashable, Sendable {
    case equal = "=="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
}

/// One bound of `InRange`.
package enum RangePoint: Hashable, Sendable {
    case number(Double)
    case time(TimeExpression)
}

/// A string literal as a glob with its modifiers.
package struct TextPattern: Hashable, Sendable {
    /// One piece of a glob.
    package enum Piece: Hashable, Sendable {
        /// These characters, unescaped; never empty; neighbours are never both literals.
        case literal(String)
        /// `*`: any run, also empty; never two in a row.
        case anyRun
        /// `?`: exactly one character.
        case anyCharacter
    }

    /// The glob; empty for `""`, which never matches.
    package var pieces: [Piece]
    /// The modifiers c, d, w.
    package var modifiers: Modifiers

    package init(pieces: [Piece], modifiers: Modifiers) {
        self.pieces = pieces
        self.modifiers = modifiers
    }
}

/// The modifiers of a string comparison (reference §1.6); `t` is gone after normalising.
package struct Modifiers: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// `c`: ignore case.
    package static let caseInsensitive = Modifiers(rawValue: 1)
    /// `d`: ignore diacritics.
    package static let diacriticInsensitive = Modifiers(rawValue: 2)
    /// `w`: match at word boundaries.
    package static let wordBased = Modifiers(rawValue: 4)
}

/// A `$time` form (reference §1.10).
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

/// The stamp of a query: read once, by the broker if the client did not, never by a worker.
package struct QueryContext: Hashable, Sendable {
    /// The instant of `$time.now`.
    package var now: Timestamp
    /// IANA zone name; `UTC` unless the request says otherwise.
    package var timeZone: String
    /// First day of the week, ISO numbering: 1 Monday … 7 Sunday.
    package var firstWeekday: Int
    /// BCP 47 tag that protects the letters of that alphabet from folding; nil folds neutrally.
    package var language: String?

    package init(
        now: Timestamp, timeZone: String = "UTC", firstWeekday: Int = 1, language: String? = nil
    ) {
        self.now = now
        self.timeZone = timeZone
        self.firstWeekday = firstWeekday
        self.language = language
    }
}
