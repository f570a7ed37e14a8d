import FresnelKernels
import FresnelModel

// One attribute's value: a type byte outside, these bytes inside (protocol.md, clause D-5).

/// The type byte of an encoded value; numbers are never reused.
enum ValueType: UInt8 {
    /// Only in patches: the attribute becomes absent.
    case removal = 0
    case string = 1
    case strings = 2
    case number = 3
    case numbers = 4
    case date = 5
    case dates = 6
    case bytes = 7
    case byteStrings = 8
    case persons = 9
    case localized = 10
    case dictionary = 11
}

extension AttributeValue {
    var wireType: ValueType {
        switch self {
        case .string: .string
        case .strings: .strings
        case .number, .boolean: .number
        case .numbers: .numbers
        case .date: .date
        case .dates: .dates
        case .bytes: .bytes
        case .byteStrings: .byteStrings
        case .persons: .persons
        case .localized: .localized
        case .dictionary: .dictionary
        }
    }
}

extension ByteWriter {
    /// Writes a value without its type and length.
    mutating func writeValue(_ value: AttributeValue) {
        switch value {
        case .string(let text): bytes.append(contentsOf: text.utf8)
        case .strings(let texts): writeTexts(texts)
        case .number(let number): write(number)
        case .boolean(let truth): write(truth ? 1.0 : 0.0)
        case .numbers(let numbers): for number in numbers { write(number) }
        case .date(let date): write(date.seconds)
        case .dates(let dates): for date in dates { write(date.seconds) }
        case .bytes(let slice): writeRaw(slice)
        case .byteStrings(let slices):
            writeVarint(UInt64(slices.count))
            for slice in slices { writeSlice(slice) }
        case .persons(let persons):
            writeVarint(UInt64(persons.count))
            for person in persons { writePerson(person) }
        case .localized(let text): writeLocalized(text)
        case .dictionary(let lists):
            writeVarint(UInt64(lists.count))
            for (key, texts) in lists.sorted(by: { $0.key.precedes($1.key) }) {
                writeText(key)
                writeTexts(texts)
            }
        }
    }

    mutating func writeTexts(_ texts: [String]) {
        writeVarint(UInt64(texts.count))
        for text in texts { writeText(text) }
    }

    private mutating func writePerson(_ person: Person) {
        let optional = [person.displayName, person.handleIdentifier, person.contactIdentifier]
        writePresence(optional)
        for text in optional.compactMap(\.self) { writeText(text) }
        writeTexts(person.handles)
    }

    private mutating func writeLocalized(_ text: LocalizedString) {
        writeText(text.defaultText)
        writeVarint(UInt64(text.variants.count))
        for (language, variant) in text.variants.sorted(by: { $0.key.precedes($1.key) }) {
            writeText(language)
            writeText(variant)
        }
    }

    /// Writes one byte that says which texts are there, the first in bit 0.
    mutating func writePresence(_ texts: [String?]) {
        var presence: UInt8 = 0
        for (position, text) in texts.enumerated() where text != nil { presence |= 1 << position }
        write(presence)
    }
}
