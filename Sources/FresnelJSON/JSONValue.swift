/// One JSON value (RFC 8259).
///
/// Whole numbers of 64 bits stay exact as `integer`; every other number is a double, and where a
/// text has a whole number that is larger, so is every one in it.
package enum JSONValue: Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number written without fraction and exponent.
    case integer(Int64)
    /// Any other number; finite when it was read.
    case number(Double)
    /// A text.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// Keys with values, in the order written.
    case object(JSONObject)
}

extension JSONValue {
    /// The value of a key; nil when this is no object or has no such key.
    package subscript(key: String) -> JSONValue? { object?[key] }

    /// The text; nil when this is none.
    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The truth value; nil when this is none.
    package var bool: Bool? {
        if case .bool(let truth) = self { truth } else { nil }
    }

    /// The number as a double; nil when this is none.
    package var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        case .null, .bool, .string, .array, .object: nil
        }
    }

    /// The number when it is whole and fits; nil otherwise.
    package var integer: Int64? {
        switch self {
        case .integer(let number): number
        case .number(let number): Int64(exactly: number)
        case .null, .bool, .string, .array, .object: nil
        }
    }

    /// The list; nil when this is none.
    package var array: [JSONValue]? {
        if case .array(let values) = self { values } else { nil }
    }

    /// The keys with values; nil when this is no object.
    package var object: JSONObject? {
        if case .object(let members) = self { members } else { nil }
    }

    /// Whether this is `null`.
    package var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The kind of value in the words of an error message.
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool: "Boolean"
        case .integer, .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    /// The kind of value with its article, as the end of a sentence: "not an array".
    package var kindWithArticle: String {
        switch self {
        case .null: "null"
        case .array, .object: "an \(kind)"
        case .bool, .integer, .number, .string: "a \(kind)"
        }
    }
}

extension JSONValue: Equatable {
    /// Numbers are equal when their values are, however they were written; the order of the keys
    /// of an object does not count.
    package static func == (lhs: JSONValue, rhs: JSONValue) -> Bool {
        switch (lhs, rhs) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.integer(let whole), .number(let number)), (.number(let number), .integer(let whole)):
            Int64(exactly: number) == whole
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }
}
