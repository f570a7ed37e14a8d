import FresnelQuery

// A range of the numbers that the answer is sorted by: both are read off the sorted numbers.

extension DirectAnswer {
    /// Entries of a sorted column that are what a query finds.
    struct Entries {
        let column: NumericColumn
        let range: Range<Int>
    }

    /// The entries of a range of the numbers that the answer is sorted by.
    func sortedEntries(of number: Int, in matcher: SegmentMatcher) -> Entries? {
        guard !plan.isCountOnly,
            case .numeric(let interval, let domain) = plan.comparisons[number].test,
            case .named(let name) = plan.comparisons[number].attribute,
            plan.order[0].key == .attribute(name), matcher.covered[number].all.count == 1
        else { return nil }
        let attribute = matcher.segment.attributes[Int(matcher.covered[number].all[0])]
        let numbers = domain == .numbersAndDates ? attribute.numbers : nil
        guard attribute.column == nil, attribute.storedTexts == nil,
            (numbers == nil) != (attribute.dates == nil),
            numbers != nil || attribute.numbers == nil, let column = numbers ?? attribute.dates,
            !column.isMultiValued, column.hasRankedTies
        else { return nil }
        return Entries(column: column, range: column.entries(in: interval))
    }

    func sortedWindow(
        _ entries: Entries, _ order: SegmentOrder, _ length: Int
    ) -> FoundHits.Window {
        let (column, range) = (entries.column, entries.range)
        var places: [Int] = []
        if plan.order[0].isDescending {
            // Equal numbers stand by identifier, also when the greatest come first.
            var high = range.upperBound
            while places.count < length, high > range.lowerBound {
                let low = column.firstEntry(equalTo: high - 1, from: range.lowerBound)
                places.append(contentsOf: (low..<high).prefix(length - places.count))
                high = low
            }
        } else {
            places = Array(range.prefix(length))
        }
        var window = FoundHits.Window()
        window.hits = places.map { place in
            let document = column.sortedDocuments[place]
            return PlacedHit(
                first: order.columns[0].place(of: document, score: 0), document: document, score: 0)
        }
        window.isLast = window.hits.count == range.count
        window.beyond = range.count
        window.scored = range.count
        return window
    }
}
