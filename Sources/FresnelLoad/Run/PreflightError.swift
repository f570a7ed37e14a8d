package import FresnelModel

/// Why a workload is not measured: what was asked of each class before came to nothing.
package struct PreflightError: Error, Sendable, CustomStringConvertible {
    /// What is wrong with one class.
    package struct Complaint: Sendable {
        /// The class and its place, with file and line of a query that has them.
        package let place: String
        /// What is wrong and what to do; a query that is wrong stands in it with a mark under it.
        package let text: String
        /// What the cluster said; nil of a query that was not sent.
        package let error: SearchError?
    }

    /// The first few, in the order of the classes.
    package let complaints: [Complaint]

    /// No more classes or queries are told.
    static let complaintsMost = 5

    package var description: String {
        let told = complaints.prefix(Self.complaintsMost).map { "\($0.place): \($0.text)" }
        let others = complaints.count - told.count
        return (told + (others > 0 ? ["and \(others) more"] : [])).joined(separator: "\n")
            + "\nnothing was measured"
    }
}
