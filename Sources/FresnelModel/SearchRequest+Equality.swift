// Two spellings of one text are two requests: identifiers name other documents, and warnings and
// errors name places in the text of the query. A test finds a field that is not compared.

extension SearchRequest {
    /// Whether both ask the same, texts byte by byte.
    public static func == (left: SearchRequest, right: SearchRequest) -> Bool {
        hasSameQuestion(left, right) && hasSameAnswer(left, right)
            && left.delivery == right.delivery && left.credit == right.credit
            && left.deadline == right.deadline && left.coverage == right.coverage
            && left.slot.hasSameBytes(as: right.slot) && left.isStrict == right.isStrict
            && left.isFollowed == right.isFollowed && left.isAnnounced == right.isAnnounced
    }

    /// What is looked for, and how it is read.
    private static func hasSameQuestion(_ left: SearchRequest, _ right: SearchRequest) -> Bool {
        left.query.hasSameBytes(as: right.query) && left.filters.hasSameBytes(as: right.filters)
            && left.identifiers.hasSameBytes(as: right.identifiers)
            && left.indexes == right.indexes && left.now == right.now
            && left.timeZone.hasSameBytes(as: right.timeZone)
            && left.firstWeekday == right.firstWeekday
            && left.language.hasSameBytes(as: right.language)
    }

    /// What of it is returned, and in which order.
    private static func hasSameAnswer(_ left: SearchRequest, _ right: SearchRequest) -> Bool {
        left.attributes.hasSameBytes(as: right.attributes)
            && left.returnsAllAttributes == right.returnsAllAttributes
            && left.sort == right.sort && left.limit == right.limit && left.after == right.after
            && left.before == right.before && left.isCountOnly == right.isCountOnly
            && left.explainsScores == right.explainsScores
            && left.isHighlighted == right.isHighlighted
            && left.tellsExpirations == right.tellsExpirations && left.facets == right.facets
    }
}
