/// A followed answer as its changes make it.
///
/// Removals come as the documents were, and additions only of what is not there.
package struct FollowedAnswer: Sendable {
    private var documents: [Int: Observation] = [:]
    /// What did not apply.
    package private(set) var faults: [String] = []

    /// Begins with the hits of the answer.
    package init(_ hits: [Observation]) {
        for hit in hits { add(hit) }
    }

    /// The documents, in order of key.
    package var observed: [Observation] {
        documents.values.sorted { $0.key < $1.key }
    }

    /// A document that has become part of the answer.
    package mutating func add(_ observation: Observation) {
        guard let former = documents.updateValue(observation, forKey: observation.key) else {
            return
        }
        faults.append("key \(observation.key) is added, although it is there as \(former.version)")
    }

    /// A document that is no longer part of it, as it was.
    package mutating func remove(_ observation: Observation) {
        let former = documents.removeValue(forKey: observation.key)
        guard former != observation else { return }
        let known = former.map { "it is there as \($0.version)" } ?? "it is not there"
        faults.append(
            "key \(observation.key) is removed as \(observation.version), although \(known)")
    }
}
