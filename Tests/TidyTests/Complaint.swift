/// One thing that is not tidy, where it is, and what to do instead.
struct Complaint: Comparable, CustomStringConvertible {
    let path: String
    /// Counted from 1.
    let line: Int
    let message: String

    /// The form that editors and compilers understand.
    var description: String { "\(path):\(line): error: \(message)" }

    static func < (left: Complaint, right: Complaint) -> Bool {
        (left.path, left.line, left.message) < (right.path, right.line, right.message)
    }
}
