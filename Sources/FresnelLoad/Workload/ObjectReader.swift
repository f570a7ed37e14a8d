import FresnelJSON

/// One object of a workload's file: every key is known and has its type, or the file is refused.
struct ObjectReader {
    private let object: JSONObject
    private let place: String

    init(_ value: JSONValue, place: String, knows keys: Set<String>) throws(WorkloadError) {
        guard let object = value.object else {
            throw WorkloadError(place, "must be an object, not \(value.kind)")
        }
        for key in object.keys where !keys.contains(key) {
            throw WorkloadError(
                "\(place).\(key)",
                "is not known; there are "
                    + keys.sorted().joined(separator: ", "))
        }
        self.object = object
        self.place = place
    }

    func has(_ key: String) -> Bool { object[key] != nil }

    func text(_ key: String) throws(WorkloadError) -> String? {
        try value(key, "a text") { $0.string }
    }

    func number(_ key: String) throws(WorkloadError) -> Double? {
        let number = try value(key, "a number") { $0.double }
        guard let number else { return nil }
        guard (0...1e9).contains(number) else {
            throw WorkloadError("\(place).\(key)", "must lie in 0...1000000000")
        }
        return number
    }

    /// A number without a fraction.
    func whole(_ key: String) throws(WorkloadError) -> Int? {
        guard let number = try number(key) else { return nil }
        guard let whole = Int(exactly: number) else {
            throw WorkloadError("\(place).\(key)", "must be a whole number, not \(number)")
        }
        return whole
    }

    func bool(_ key: String) throws(WorkloadError) -> Bool? {
        try value(key, "true or false") { $0.bool }
    }

    func array(_ key: String) throws(WorkloadError) -> [JSONValue]? {
        try value(key, "a list") { $0.array }
    }

    func texts(_ key: String) throws(WorkloadError) -> [String]? {
        try value(key, "a list of texts") { value in
            guard let array = value.array else { return nil }
            let texts = array.compactMap(\.string)
            return texts.count == array.count ? texts : nil
        }
    }

    private func value<Value>(
        _ key: String, _ expected: String, _ read: (JSONValue) -> Value?
    ) throws(WorkloadError) -> Value? {
        guard let value = object[key] else { return nil }
        guard let read = read(value) else {
            throw WorkloadError("\(place).\(key)", "must be \(expected), not \(value.kind)")
        }
        return read
    }
}
