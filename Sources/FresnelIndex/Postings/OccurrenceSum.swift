/// Adds up the weighted occurrences of one document, attribute by attribute.
struct OccurrenceSum {
    private var sum = 0.0
    private var attribute = AttributeOrdinal.max
    private var count = 0

    /// Takes an occurrence, which comes in the order of the attributes.
    @inline(__always)
    mutating func add(
        _ occurrence: Occurrence, of document: DocumentNumber, in filter: AttributeFilter,
        _ weights: FieldWeights
    ) {
        if occurrence.attribute == attribute {
            count &+= 1
            return
        }
        sum = total(of: document, in: filter, weights)
        attribute = occurrence.attribute
        count = 1
    }

    /// The sum so far.
    @inline(__always)
    func total(
        of document: DocumentNumber, in filter: AttributeFilter, _ weights: FieldWeights
    ) -> Double {
        guard count > 0, filter.contains(attribute) else { return sum }
        return sum + weights.weighted(count, in: attribute, of: document)
    }
}
