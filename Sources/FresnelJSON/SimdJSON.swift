/// The C++ library simdjson, which reads JSON as fast as memory gives it.
///
/// It only ever accepts: what it cannot read, and what is valid JSON but refused here, is read
/// again by jansson, which says what is wrong and where. Where both accept a text, they agree on it
/// (a test compares them).
enum SimdJSON {
    /// Reads one value from a whole text; nil where jansson has to decide.
    static func value(parsing bytes: Span<UInt8>, maximumDepth: Int) -> JSONValue? {
        var value: JSONValue?
        _ = JSONTape.read(bytes) { tape in
            value = tape.value(depth: 0, maximumDepth: maximumDepth)
            return value != nil
        }
        return value
    }
}

extension JSONTape {
    /// The value at the place, which moves behind it; nil where jansson has to decide.
    ///
    /// - Parameter depth: the arrays and objects around it.
    fileprivate mutating func value(depth: Int, maximumDepth: Int) -> JSONValue? {
        let kind = kind
        if case .text = kind {
            defer { step() }
            return .string(string)
        }
        step()
        return switch kind {
        case .object(let end): object(through: end, depth: depth + 1, maximumDepth)
        case .array(let end): array(through: end, depth: depth + 1, maximumDepth)
        // jansson reads every whole number of such a text in one way.
        case .text, .large, .other: nil
        case .integer(let number): .integer(number)
        case .number(let number): .number(number)
        case .bool(let truth): .bool(truth)
        case .null: .null
        }
    }

    private mutating func object(
        through end: Int, depth: Int, _ maximumDepth: Int
    ) -> JSONValue? {
        guard depth <= maximumDepth else { return nil }
        var object = JSONObject()
        while place < end {
            let key = string
            step()
            // A repeated key, also in another spelling, and one with NUL are refused.
            guard object[key] == nil, !key.utf8.contains(0),
                let member = value(depth: depth, maximumDepth: maximumDepth)
            else { return nil }
            object.append(key, member)
        }
        step()
        return .object(object)
    }

    private mutating func array(
        through end: Int, depth: Int, _ maximumDepth: Int
    ) -> JSONValue? {
        guard depth <= maximumDepth else { return nil }
        var values: [JSONValue] = []
        while place < end {
            guard let element = value(depth: depth, maximumDepth: maximumDepth) else {
                return nil
            }
            values.append(element)
        }
        step()
        return .array(values)
    }
}
