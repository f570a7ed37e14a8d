extension WireChanges {
    /// The same with a shorter reason for the end: all else has a bounded length.
    var shortened: WireChanges {
        guard hasEnd else { return self }
        var changes = self
        changes.end = end.shortened
        return changes
    }
}
