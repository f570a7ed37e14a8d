/// The machine that a peer's connection comes from, as the shell knows it.
package struct PeerHost: Hashable, Sendable {
    /// For people, and equal for connections of one address.
    package let name: String
    /// Whether it is the broker's own machine.
    package let isThisMachine: Bool

    package init(name: String, isThisMachine: Bool) {
        self.name = name
        self.isThisMachine = isThisMachine
    }
}
