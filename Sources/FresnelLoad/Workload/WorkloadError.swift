/// Why a file is no workload.
package struct WorkloadError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where in the file: a class and a key.
    package let place: String
    /// What is wrong there, and what is expected.
    package let complaint: String

    package init(_ place: String, _ complaint: String) {
        self.place = place
        self.complaint = complaint
    }

    package var description: String { "\(place): \(complaint)" }
}
