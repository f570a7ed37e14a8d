/// The members of a JSON object in the order written; each key once.
///
/// Few keys are searched one by one, which is faster than hashing; more get a table.
package struct JSONObject: Sendable {
    /// The keys in order.
    package private(set) var keys: [String] = []
    /// The values in the order of their keys.
    package private(set) var values: [JSONValue] = []
    /// Key → position; empty up to `scanned` keys.
    private var positions: [String: Int] = [:]

    private static let scanned = 12

    /// Makes an object without members.
    package init() {}

    /// How many members there are.
    package var count: Int { keys.count }

    /// Whether there are none.
    package var isEmpty: Bool { keys.isEmpty }

    /// The value of a key.
    ///
    /// Setting a new key appends it, setting nil removes it.
    package subscript(key: String) -> JSONValue? {
        get { position(of: key).map { values[$0] } }
        set {
            switch (position(of: key), newValue) {
            case (let position?, let value?): values[position] = value
            case (let position?, nil): remove(at: position)
            case (nil, let value?): append(key, value)
            case (nil, nil): break
            }
        }
    }

    /// Adds a member whose key is known to be new.
    mutating func append(_ key: String, _ value: JSONValue) {
        keys.append(key)
        values.append(value)
        if !positions.isEmpty {
            positions[key] = keys.count - 1
        } else if keys.count > Self.scanned {
            indexPositions()
        }
    }

    private func position(of key: String) -> Int? {
        positions.isEmpty ? keys.firstIndex(of: key) : positions[key]
    }

    private mutating func remove(at position: Int) {
        keys.remove(at: position)
        values.remove(at: position)
        positions = [:]
        if keys.count > Self.scanned { indexPositions() }
    }

    private mutating func indexPositions() {
        for (position, key) in keys.enumerated() { positions[key] = position }
    }
}

extension JSONObject: Sequence {
    /// The members in order.
    package func makeIterator() -> Zip2Sequence<[String], [JSONValue]>.Iterator {
        zip(keys, values).makeIterator()
    }
}

extension JSONObject: Equatable {
    /// Objects are equal when they have the same members, in any order.
    package static func == (lhs: JSONObject, rhs: JSONObject) -> Bool {
        lhs.count == rhs.count && lhs.allSatisfy { rhs[$0.0] == $0.1 }
    }
}
