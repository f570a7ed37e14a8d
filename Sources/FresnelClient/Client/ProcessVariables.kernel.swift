import Glibc

/// The variables that the process was started with.
enum ProcessVariables {
    /// The value of a variable; nil when it is not set or empty.
    static func value(of name: String) -> String? {
        // The C string is copied at once; nobody in this process changes the environment.
        guard let text = unsafe getenv(name) else { return nil }
        let value = unsafe String(cString: text)
        return value.isEmpty ? nil : value
    }
}
