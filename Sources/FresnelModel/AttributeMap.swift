// A document has two to forty attributes. Kept in the order of their names they are found by a few
// comparisons of short strings, which costs less than hashing one; and they are checked, encoded
// and indexed in that order without sorting them anew. All of it can be inlined: other modules
// would look names up through tables of witnesses otherwise, much more slowly.

/// Attribute name → value, in the order of the names.
///
/// It reads and writes like a dictionary:
///
///     document.attributes["title"] = .string("A sail boat")
///     for (name, value) in document.attributes { … }
///
/// Names are compared as strings: two spellings that Unicode calls equivalent are one name. Looking
/// up takes O(log n) comparisons, adding a name behind all others is O(1), elsewhere O(n).
@frozen
public struct AttributeMap<Value> {
    /// A name and what stands under it.
    public typealias Element = (key: String, value: Value)

    @usableFromInline var elements: [Element] = []

    /// Makes a map of nothing.
    @inlinable
    public init() {}

    /// Makes a map of names that are all different.
    ///
    /// - Precondition: no name stands twice.
    @inlinable
    public init(uniqueKeysWithValues elements: some Sequence<(String, Value)>) {
        for (name, value) in elements {
            let isNew = updateValue(value, forKey: name) == nil
            precondition(isNew, "attribute \(name) is given twice")
        }
    }

    /// Makes a map of a dictionary.
    @inlinable
    public init(_ dictionary: [String: Value]) {
        elements = dictionary.sorted { $0.key < $1.key }
    }

    /// The value of a name; nil when there is none.
    ///
    /// Setting nil removes the name.
    @inlinable
    public subscript(name: String) -> Value? {
        get {
            let place = place(of: name)
            return isName(name, at: place) ? elements[place].value : nil
        }
        set {
            if let newValue {
                updateValue(newValue, forKey: name)
            } else {
                removeValue(forKey: name)
            }
        }
    }

    /// Sets the value of a name, and returns what stood there before.
    @inlinable
    @discardableResult
    public mutating func updateValue(_ value: Value, forKey name: String) -> Value? {
        let place = place(of: name)
        guard isName(name, at: place) else {
            elements.insert((name, value), at: place)
            return nil
        }
        let old = elements[place].value
        elements[place].value = value
        return old
    }

    /// Removes a name, and returns what stood there.
    @inlinable
    @discardableResult
    public mutating func removeValue(forKey name: String) -> Value? {
        let place = place(of: name)
        return isName(name, at: place) ? elements.remove(at: place).value : nil
    }

    /// Makes room for as many names.
    @inlinable
    public mutating func reserveCapacity(_ count: Int) { elements.reserveCapacity(count) }

    /// The names in their order.
    @inlinable
    public var keys: some RandomAccessCollection<String> { elements.lazy.map(\.key) }

    /// The values in the order of their names.
    @inlinable
    public var values: some RandomAccessCollection<Value> { elements.lazy.map(\.value) }

    /// The same names with other values.
    @inlinable
    public func mapValues<Other, Failure: Error>(
        _ transform: (Value) throws(Failure) -> Other
    ) throws(Failure) -> AttributeMap<Other> {
        try compactMapValues { value throws(Failure) in try transform(value) }
    }

    /// The same names with other values, without those that have none then.
    @inlinable
    public func compactMapValues<Other, Failure: Error>(
        _ transform: (Value) throws(Failure) -> Other?
    ) throws(Failure) -> AttributeMap<Other> {
        var other = AttributeMap<Other>()
        other.elements.reserveCapacity(elements.count)
        for (name, value) in elements {
            if let value = try transform(value) { other.elements.append((name, value)) }
        }
        return other
    }

    /// The names and values that satisfy a condition.
    @inlinable
    public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> AttributeMap {
        var other = AttributeMap()
        other.elements = try elements.filter(isIncluded)
        return other
    }

    /// The place of a name, or the one where it would stand.
    @inlinable
    func place(of name: String) -> Int {
        guard let last = elements.last, name <= last.key else { return elements.count }
        var (low, high) = (0, elements.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if elements[middle].key < name { low = middle + 1 } else { high = middle }
        }
        return low
    }

    @inlinable
    func isName(_ name: String, at place: Int) -> Bool {
        place < elements.count && elements[place].key == name
    }
}

extension AttributeMap: RandomAccessCollection {
    /// The place of the first name.
    @inlinable
    public var startIndex: Int { 0 }
    /// The place behind the last name.
    @inlinable
    public var endIndex: Int { elements.count }
    /// The name and value at a place.
    @inlinable
    public subscript(place: Int) -> Element { elements[place] }
}

extension AttributeMap: ExpressibleByDictionaryLiteral {
    /// Makes a map of names that are all different.
    @inlinable
    public init(dictionaryLiteral elements: (String, Value)...) {
        self.init(uniqueKeysWithValues: elements)
    }
}

extension AttributeMap: Equatable where Value: Equatable {
    /// Whether both have the same names and values.
    @inlinable
    public static func == (left: AttributeMap, right: AttributeMap) -> Bool {
        left.elements.elementsEqual(right.elements) { $0.key == $1.key && $0.value == $1.value }
    }
}

extension AttributeMap: Hashable where Value: Hashable {
    /// Hashes names and values.
    @inlinable
    public func hash(into hasher: inout Hasher) {
        for (name, value) in elements {
            hasher.combine(name)
            hasher.combine(value)
        }
        hasher.combine(elements.count)
    }
}

extension AttributeMap: Sendable where Value: Sendable {}
