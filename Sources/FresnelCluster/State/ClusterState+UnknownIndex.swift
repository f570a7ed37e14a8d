import FresnelQuery

extension ClusterState {
    /// The most indexes that a refusal names.
    private static let namedIndexes = 8

    /// That there is no index of a name, with the one that was probably meant, or all there are.
    func complaint(aboutIndex name: String) -> String {
        let names = indexes.map(\.name) + self.names.aliases.map(\.name)
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

    /// What is said of an alias that does not exist.
    func complaint(aboutAlias name: String) -> String {
        let complaint = "there is no alias \(name.debugDescription)"
        if index(named: name) != nil { return "\(complaint), but an index of that name" }
        let near = NearestName.find(name, among: names.aliases.map(\.name))
        return complaint + (near.map { "; did you mean \($0.debugDescription)" } ?? "")
    }
}
