/// Why a file is no workload.
package struct WorkloadError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where in the file: a class and a key.
    package let place: String
    /// What is wrong there, and what is expected.
    package let complaint: String
    /// The line of that place, from 1; nil where nobody has looked.
    var line: Int?
    /// That line and a mark under the place, each on a line of its own; empty where nobody has
    /// looked.
    var mark = ""

    package init(_ place: String, _ complaint: String) {
        self.place = place
        self.complaint = complaint
    }

    package var description: String {
        "\(line.map { "line \($0): " } ?? "")\(place): \(complaint)\(mark)"
    }
}
