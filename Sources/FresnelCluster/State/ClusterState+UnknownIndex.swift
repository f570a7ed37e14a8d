import FresnelQuery

extension ClusterState {
    /// The most indexes that a refusal names.
    private static let namedIndexes = 8

    /// That there is no index of a name, with the one that was probably meant, or all there are.
    func complaint(aboutIndex name: String) -> String {
        let names = indexes.map(\.name)
        let complaint = "there is no index \(name.debugDescription)"
        if let near = NearestName.find(name, among: names) {
            return "\(complaint); did you mean \(near.debugDescription)"
        }
        guard !names.isEmpty else {
            return "\(complaint), and no other: the first document makes one"
        }
        let more = names.count - Self.namedIndexes
        return "\(complaint); there \(names.count == 1 ? "is" : "are") "
            + names.prefix(Self.namedIndexes).joined(separator: ", ")
            + (more > 0 ? " and \(more) more" : "")
    }
}
