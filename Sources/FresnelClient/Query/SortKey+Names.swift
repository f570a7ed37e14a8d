extension SortKey {
    /// By the values of an attribute, small ones first: `.ascending("price")`.
    ///
    /// `relevance` is no attribute: the least relevant come first then.
    public static func ascending(_ name: AttributeName) -> SortKey { key(name, isAscending: true) }

    /// By the values of an attribute, large ones first: `.descending("rating")`.
    public static func descending(_ name: AttributeName) -> SortKey {
        key(name, isAscending: false)
    }

    // The wire and the command line have one word for the order by score, too.
    private static func key(_ name: AttributeName, isAscending: Bool) -> SortKey {
        SortKey(
            name.text == "relevance" ? .relevance : .attribute(name.text), isAscending: isAscending)
    }
}
