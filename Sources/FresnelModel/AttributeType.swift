/// What kind of value an attribute takes.
///
/// The raw values travel on the wire and stand in files: never renumber one.
public enum AttributeType: UInt8, Hashable, Sendable, CaseIterable {
    /// One text, also a localised one, also a type identifier.
    case string = 1
    /// Several texts, in order.
    case strings = 2
    /// One finite number.
    case number = 3
    /// Several finite numbers; only custom keys.
    case numbers = 4
    /// A number that is 0 or 1.
    case boolean = 5
    /// One point in time.
    case date = 6
    /// Several points in time.
    case dates = 7
    /// Opaque bytes.
    case bytes = 8
    /// Several byte strings; only custom keys.
    case byteStrings = 9
    /// One address, kept and compared as its text.
    case url = 10
    /// People.
    case persons = 11
    /// Named lists of texts; cannot be asked for in a query.
    case dictionary = 12
}

extension AttributeType {
    /// Whether the values are texts that a pattern can match.
    public var isText: Bool {
        switch self {
        case .string, .strings, .url, .persons: true
        case .number, .numbers, .boolean, .date, .dates, .bytes, .byteStrings, .dictionary: false
        }
    }

    /// Whether the values order as numbers: numbers, Booleans and dates.
    public var isNumeric: Bool {
        switch self {
        case .number, .numbers, .boolean, .date, .dates: true
        case .string, .strings, .bytes, .byteStrings, .url, .persons, .dictionary: false
        }
    }

    /// Whether the value is a point in time, or several.
    public var isDate: Bool { self == .date || self == .dates }

    /// Whether one document may have several values of the attribute.
    public var isMultiValued: Bool {
        switch self {
        case .strings, .numbers, .dates, .byteStrings, .persons: true
        case .string, .number, .boolean, .date, .bytes, .url, .dictionary: false
        }
    }

    /// The type of one element where this one is for several values.
    public var element: AttributeType {
        switch self {
        case .strings: .string
        case .numbers: .number
        case .dates: .date
        case .byteStrings: .bytes
        case .string, .number, .boolean, .date, .bytes, .url, .persons, .dictionary: self
        }
    }

    /// The type for several values where this one is for a single value.
    public var multiValued: AttributeType {
        switch self {
        case .string, .url, .strings: .strings
        case .number, .boolean, .numbers: .numbers
        case .date, .dates: .dates
        case .bytes, .byteStrings: .byteStrings
        case .persons: .persons
        case .dictionary: .dictionary
        }
    }
}

extension AttributeType: CustomStringConvertible {
    /// The type in the words of an error message.
    public var description: String {
        switch self {
        case .string: "string"
        case .strings: "list of strings"
        case .number: "number"
        case .numbers: "list of numbers"
        case .boolean: "Boolean (0 or 1)"
        case .date: "date"
        case .dates: "list of dates"
        case .bytes: "bytes"
        case .byteStrings: "list of bytes"
        case .url: "address (string)"
        case .persons: "list of persons"
        case .dictionary: "dictionary of lists of strings"
        }
    }
}
