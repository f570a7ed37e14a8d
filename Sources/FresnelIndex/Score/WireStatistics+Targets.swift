import FresnelModel
package import FresnelWire

extension WireStatistics {
    /// Whether these counts may be used to search `targets`: they were asked for by this query, or
    /// each target's snapshot ends with the part that it ended with when they were counted.
    package func isTrue(of targets: [SearchTarget]) -> Bool {
        sequences.isEmpty || sequences == targets.map(\.snapshot.sequence.value)
    }
}
