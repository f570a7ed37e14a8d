/// A value of a facet, equal where values are equal whatever segment they are from.
enum FacetKey: Hashable, Sendable {
    /// The bits of a number; -0 is 0.
    case number(UInt64)
    /// The bits of a date in seconds since 2001.
    case date(UInt64)
    /// The UTF-8 of a text.
    case text([UInt8])
}
