/// Documents that were gathered for all runs of a scoring, so that each run only has to cut its own
/// out of them.
struct GatheredDocuments: Sendable {
    /// The documents of all runs.
    let whole: DocumentSet
    /// The documents that have all tokens of a phrase.
    var phrases: [MatchMemory.Pattern: DocumentSet] = [:]
    /// The documents that have a matching value of an attribute.
    var values: [MatchMemory.Column: DocumentSet] = [:]
}
