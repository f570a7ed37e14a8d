import FresnelKernels
import FresnelWire

/// What the documents of a new segment have of each of their attributes, numbered as they came.
struct FieldBuilders {
    private var fields: [FieldBuilder] = []
    private var numbers: [String: Int] = [:]
    /// The numbers of the fields of documents before, by the places of their names.
    private var last: [Int] = []
    /// The numbers on the wire of the known attributes at these places; 0 for others.
    private var lastKnown: [Int] = []

    subscript(number: Int) -> FieldBuilder {
        get { fields[number] }
        _modify { yield &fields[number] }
    }

    /// The fields' numbers in the order of their names.
    var order: [Int] {
        fields.indices.sorted {
            fields[$0].contents.name.utf8.lexicographicallyPrecedes(fields[$1].contents.name.utf8)
        }
    }

    /// The number of a field; `place` is that of its name among those of the document.
    mutating func number(of name: String, at place: Int) -> Int {
        // Documents of one kind have the same names at the same places.
        if place < last.count, fields[last[place]].contents.name == name { return last[place] }
        return look(for: name, at: place)
    }

    /// The number of the field of a plain document's attribute.
    mutating func number(
        of name: PlainAttribute.Name, in bytes: Span<UInt8>, at place: Int
    ) -> Int {
        var known = 0
        if case .known(let number) = name {
            if place < last.count, lastKnown[place] == number { return last[place] }
            known = number
        } else if place < last.count,
            name.isEqual(to: fields[last[place]].contents.name, in: bytes)
        {
            return last[place]
        }
        let number = look(for: name.text(in: bytes), at: place)
        lastKnown[place] = known
        return number
    }

    private mutating func look(for name: String, at place: Int) -> Int {
        let number = numbers[name] ?? fields.count
        if number == fields.count {
            numbers[name] = number
            fields.append(FieldBuilder(name: name))
        }
        if place == last.count {
            last.append(number)
            lastKnown.append(0)
        }
        (last[place], lastKnown[place]) = (number, 0)
        return number
    }
}
