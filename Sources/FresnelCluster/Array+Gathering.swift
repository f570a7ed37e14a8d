extension Array {
    /// Appends the elements of another array.
    ///
    /// Where one of both is empty the other one is taken as it is: most lists of effects come from
    /// one place, and a copy on each level above it costs more than what they say.
    mutating func gather(_ more: [Element]) {
        if isEmpty {
            self = more
        } else if !more.isEmpty {
            append(contentsOf: more)
        }
    }
}
