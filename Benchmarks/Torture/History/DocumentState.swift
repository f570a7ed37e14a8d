/// What a key may be at one moment.
package enum DocumentState: Hashable, Sendable {
    /// Not there.
    case absent
    /// There: its base, its version and its group.
    case present(base: Int, version: Int, group: String)

    /// What an operation makes of it.
    package func applying(_ operation: KeyOperation) -> DocumentState {
        switch (operation, self) {
        case (.index(_, let version, let group), _):
            .present(base: version, version: version, group: group)
        case (.update(_, let version), .present(let base, _, let group)):
            .present(base: base, version: version, group: group)
        case (.delete, _): .absent
        case (.deleteGroup(let deleted), .present(_, _, let group)) where deleted == group: .absent
        case (.update, .absent), (.deleteGroup, _): self
        }
    }

    /// Whether an answer that shows this document shows this state.
    package func isShown(by observation: Observation) -> Bool {
        guard case .present(let base, let version, _) = self else { return false }
        return observation.base == base && observation.version == version
    }

    /// Whether the search would find it.
    func matches(_ kind: ReadKind) -> Bool {
        guard case .present(_, _, let group) = self else { return false }
        if case .group(let wanted) = kind { return group == wanted }
        return true
    }
}
