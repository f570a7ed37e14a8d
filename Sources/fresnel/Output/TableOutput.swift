import FresnelModel

/// Hits as a table, and below it what the answer is worth.
struct TableOutput: HitOutput {
    private let attributes: [String]
    /// The query, where its pages may be remembered.
    private let query: String?
    /// Made for the first rows.
    private var table: Table?
    private var waiting: [Hit] = []
    private var shown = 0
    /// The indexes that hits came from so far; their column is shown as soon as there are several.
    private var indexes: Set<IndexName> = []
    private let style: Style

    /// The first rows decide the widths of the columns.
    private static let rowsMeasured = 100

    init(attributes: [String], of query: String? = nil, style: Style = .standard) {
        self.attributes = attributes
        self.query = query
        self.style = style
    }

    mutating func take(_ batch: [Hit]) {
        waiting += batch
        if shown > 0 || waiting.count >= Self.rowsMeasured { flush() }
    }

    mutating func finish(_ completion: Completion) {
        flush()
        // Why there is no answer is said on the standard error.
        guard shown > 0 || completion.error == nil else { return }
        for line in FacetText.lines(completion, style: style) { Streams.say(line) }
        if !completion.facets.isEmpty { Streams.say("") }
        for line in CompletionText.footer(completion, shown: shown, style: style) {
            Streams.say(line)
        }
    }

    /// A line a change: + for what came, - for what went.
    func take(_ change: SearchChange) {
        switch change {
        case .removed(let hit, _): Streams.say(line("-", hit))
        case .added(let hit, _): Streams.say(line("+", hit))
        case .reached: break
        }
    }

    private func line(_ sign: String, _ hit: Hit) -> String {
        ([sign, hit.uniqueIdentifier] + attributes.map { ValueText.text(hit.attributes[$0]) })
            .map { ShownText.oneLine($0) }.joined(separator: "  ")
    }

    func hint(_ completion: Completion) -> String? {
        guard shown > 0 else { return nil }
        // A program that reads this stream wants the cursors themselves.
        let isKept =
            Terminal.isError && Terminal.isOutput
            && query.map { LastPages.keep(completion, of: $0) } == true
        return CompletionText.pages(completion, isKept: isKept)
    }

    private mutating func flush() {
        guard !waiting.isEmpty else { return }
        let wasSeveral = indexes.count > 1
        indexes.formUnion(waiting.map(\.index))
        let isSeveral = indexes.count > 1
        if shown > 0, isSeveral, !wasSeveral {
            // Rows before were all of one index; those from here on say of which.
            table = nil
            Streams.say("")
        }
        // Only an order by relevance computes scores.
        let isScored = waiting.contains { $0.score != nil }
        var table = table ?? Table(columns(isScored, isSeveral), style: style)
        let isFirstScore = table.columns.first?.isNumber == true
        let rows = waiting.map { hit in
            (isFirstScore ? [ValueText.score(hit.score)] : [])
                + (isSeveral ? [hit.index.text] : [])
                + [hit.uniqueIdentifier] + attributes.map { ValueText.text(hit.attributes[$0]) }
        }
        let marks = waiting.map { hit in
            (isFirstScore ? [[]] : []) + (isSeveral ? [[]] : [])
                + (["uniqueIdentifier"] + attributes).map {
                    HighlightMarks.ranges(of: $0, in: hit)
                }
        }
        Streams.say(lines: table.lines(rows, marks: marks))
        self.table = table
        shown += waiting.count
        waiting = []
    }

    private func columns(_ isScored: Bool, _ isSeveral: Bool) -> [Table.Column] {
        (isScored ? [Table.Column(title: "score", isNumber: true)] : [])
            + (isSeveral ? [Table.Column(title: "index")] : [])
            + [Table.Column(title: "uniqueIdentifier")]
            + attributes.map { Table.Column(title: $0) }
    }
}
