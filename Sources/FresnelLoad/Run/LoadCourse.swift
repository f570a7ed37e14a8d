/// What a load against one cluster came to: all of its plan, or as far as it got.
package struct LoadCourse: Sendable {
    /// In the order in which they were made; the last may be cut short.
    package var measurements: [LoadReport.Measurement]
    /// The highest rate that held the objective of a search that came to its end.
    package var saturation: Double?
    /// Whether the load was cancelled before the plan's end.
    package var isCutShort = false
    /// What the load wrote and could not remove; nil if it did, or there was nothing.
    package var leftovers: Leftovers?

    package init(_ measurements: [LoadReport.Measurement] = [], saturation: Double? = nil) {
        self.measurements = measurements
        self.saturation = saturation
    }
}
