import FresnelKernels
package import FresnelModel

/// What the attributes of plain documents may hold in one index, found without hashing a name.
package struct PlainTypes: Sendable {
    /// By number; nil for what decoding has to look at.
    private static let known: [AttributeType?] =
        [nil]
        + AttributeNumber.names.map { name in
            let definition = AttributeTable.definition(named: name)
            return others.contains(name) || definition?.name != name ? nil : definition?.valueType
        }

    /// For each number its place in the order of the names.
    fileprivate static let ranks: [Int] = {
        var ranks = [Int](repeating: 0, count: AttributeNumber.last + 1)
        let sorted = AttributeNumber.names.enumerated().sorted { $0.element.precedes($1.element) }
        for (rank, entry) in sorted.enumerated() { ranks[entry.offset + 1] = rank }
        return ranks
    }()

    /// The numbers in the order of their names.
    private static let sorted = (1...AttributeNumber.last).sorted { ranks[$0] < ranks[$1] }

    /// For each number the bytes of its name.
    static let names: [[UInt8]] = [[]] + AttributeNumber.names.map { Array($0.utf8) }

    /// What others follow from (`Document.normalised`) and what has rules of its own
    /// (`DocumentValidation`): a new rule there belongs here too.
    private static let others: Set<String> = [
        "domainIdentifier", "relatedUniqueIdentifier", "weakRelatedUniqueIdentifier",
        "contentType", "contentTypeTree", "providerDataTypeIdentifiers",
        "providerFileTypeIdentifiers", "providerInPlaceFileTypeIdentifiers",
    ]

    /// The schema's own keys, sorted by name.
    private let customs: [(name: [UInt8], type: AttributeType)]
    /// How many keys the schema had; an index never loses one.
    private let keyCount: Int

    /// Makes the types of an index.
    package init(_ schema: AttributeSchema) {
        keyCount = schema.customKeys.count
        customs = schema.customKeys.keys.compactMap { name in
            // A key of this name hides behind the identifier itself.
            guard name != "uniqueIdentifier", let definition = schema.definition(named: name),
                definition.isCustom
            else { return nil }
            // A Boolean key takes every number.
            let type = definition.valueType == .boolean ? .number : definition.valueType
            return (Array(name.utf8), type)
        }.sorted { $0.name.lexicographicallyPrecedes($1.name) }
    }

    /// Whether these are still the types of their index.
    package func areThose(of schema: AttributeSchema) -> Bool {
        keyCount == schema.customKeys.count
    }

    /// Whether a value is valid, and stored as it is, under its name.
    func takes(_ attribute: PlainAttribute, _ bytes: Span<UInt8>) -> Bool {
        guard let type = type(of: attribute.name, bytes) else { return false }
        switch attribute.value {
        case .text(let place):
            return (type == .string || type == .url) && !place.isEmpty
                && Self.isText(place, bytes)
        case .texts(let list): return type == .strings && Self.isTexts(list, bytes)
        case .number(let number):
            guard number != 0 || number.sign == .plus else { return false }
            return type == .number || type == .boolean && (number == 0 || number == 1)
        case .date: return type == .date
        }
    }

    /// Whether a name may follow another.
    func isInOrder(
        _ left: PlainAttribute.Name, _ right: PlainAttribute.Name, _ bytes: Span<UInt8>
    ) -> Bool {
        if case .known(let left) = left, case .known(let right) = right {
            return Self.ranks[left] < Self.ranks[right]
        }
        switch (left, right) {
        case (.known(let left), .custom(let right)):
            return Self.compare(bytes.extracting(right), with: left) > 0
        case (.custom(let left), .known(let right)):
            return Self.compare(bytes.extracting(left), with: right) < 0
        case (.custom(let left), .custom(let right)):
            return ByteOrder.compare(bytes.extracting(left), bytes.extracting(right)) < 0
        case (.known, .known): return false
        }
    }

    /// Below, equal to or above zero as a name is before, equal to or behind that of a number.
    static func compare(_ name: Span<UInt8>, with number: Int) -> Int {
        let known = names[number]
        return ByteOrder.compare(name, known.span)
    }

    private func type(of name: PlainAttribute.Name, _ bytes: Span<UInt8>) -> AttributeType? {
        switch name {
        case .known(let number): Self.known[number]
        case .custom(let place): custom(bytes.extracting(place)).map { customs[$0].type }
        }
    }

    /// The place of a key of the schema.
    private func custom(_ name: Span<UInt8>) -> Int? {
        Self.place(of: name, among: customs.count) { place, name in
            let custom = customs[place].name
            return ByteOrder.compare(name, custom.span)
        }
    }

    /// The place of a name among sorted ones; nil when it is not there.
    @inline(__always)
    private static func place(
        of name: Span<UInt8>, among count: Int, _ compare: (Int, Span<UInt8>) -> Int
    ) -> Int? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            let order = compare(middle, name)
            if order == 0 { return middle }
            if order > 0 { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    private static func isText(_ place: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        PlainReader(bytes, in: place)?.isText(place) ?? false
    }

    private static func isTexts(_ list: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        guard var reader = PlainReader(bytes, in: list), let count = reader.length(),
            (1...Limits.elementsPerAttribute).contains(count)
        else { return false }
        for _ in 0..<count where reader.text() == nil { return false }
        return reader.place == reader.end
    }
}

extension PlainTypes {
    /// An attribute that plain documents may have.
    package struct Key: Sendable {
        /// On the wire; 0 for a custom one.
        let number: Int
        /// The name of a custom one; without it, a key is no reference.
        let custom: [UInt8]?
        package let type: AttributeType

        /// Whether the owner of the index has declared it.
        package var isCustom: Bool { number == 0 }
    }

    /// The attribute of a canonical name; nil for what plain documents do not have.
    package func key(of name: Span<UInt8>) -> Key? {
        if let custom = custom(name) {
            return Key(number: 0, custom: customs[custom].name, type: customs[custom].type)
        }
        let place = Self.place(of: name, among: Self.sorted.count) { place, name in
            Self.compare(name, with: Self.sorted[place])
        }
        guard let place, let type = Self.known[Self.sorted[place]] else { return nil }
        let number = Self.sorted[place]
        return Key(number: number, custom: nil, type: type)
    }
}

extension PlainTypes.Key {
    /// Whether this is the attribute's name.
    package func isNamed(_ other: Span<UInt8>) -> Bool {
        guard let custom else { return PlainTypes.compare(other, with: number) == 0 }
        return ByteOrder.compare(custom.span, other) == 0
    }

    /// The name.
    private var name: [UInt8] { custom ?? PlainTypes.names[number] }

    /// Below, equal to or above zero as the name is before, equal to or behind that of another.
    func compare(_ other: PlainTypes.Key) -> Int {
        if custom == nil, other.custom == nil {
            return PlainTypes.ranks[number] - PlainTypes.ranks[other.number]
        }
        return ByteOrder.compare(name.span, other.name.span)
    }
}
