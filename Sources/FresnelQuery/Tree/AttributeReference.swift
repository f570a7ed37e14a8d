/// The left side of a predicate.
package enum AttributeReference: Hashable, Sendable {
    /// `*`: every default-searchable metadata attribute.
    case searchable
    /// `**`: the same plus text content.
    case searchableAndContent
    /// One attribute by its canonical name (aliases such as `kMDItemTitle` already resolved).
    case named(String)
}
