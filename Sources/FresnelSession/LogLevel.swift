/// How loud a line for the operator is, under the names that logs use.
package enum LogLevel: String, Hashable, Sendable, CaseIterable {
    case debug
    case information = "info"
    case warning
    case error
}
