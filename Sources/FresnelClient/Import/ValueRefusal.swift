/// Why a field cannot become an attribute; the place is added where it is known.
struct ValueRefusal: Error {
    /// The key in the entry that is at fault; nil for the entry as a whole.
    var path: [String]
    let reason: String

    init(_ reason: String, at path: [String] = []) {
        self.path = path
        self.reason = reason
    }

    /// The same below a key.
    func under(_ key: String) -> ValueRefusal {
        ValueRefusal(reason, at: [key] + path)
    }
}
