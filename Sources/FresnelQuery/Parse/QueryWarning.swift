/// Something about a valid search that its author probably did not mean.
package struct QueryWarning: Hashable, Sendable {
    /// UTF-8 offset in the query string; nil when it is about no place in it.
    package let offset: Int?
    /// What is odd and what follows from it; lowercase, no full stop.
    package let message: String

    package init(offset: Int?, message: String) {
        self.offset = offset
        self.message = message
    }
}
