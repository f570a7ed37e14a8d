extension WireFound {
    /// The message without what matching counted, which the end of the part tells again.
    var withoutReports: WireFound {
        var copy = self
        copy.shards = []
        return copy
    }
}
