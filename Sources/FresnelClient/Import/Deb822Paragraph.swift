/// The fields of one paragraph with the lines they stand in.
struct Deb822Paragraph {
    struct Field {
        var value: String
        let line: Int
        /// Where the value begins in its line.
        let column: Int
    }

    let line: Int
    private var fields: [String: Field] = [:]
    private var last: String?
    private var byteCount = 0
    /// The first line that breaks the rules; the paragraph is of no use then.
    private(set) var refusal: ImportRefusal?

    init(line: Int) { self.line = line }

    var isEmpty: Bool { fields.isEmpty && refusal == nil }

    /// The field of that name; letter case does not count.
    subscript(name: String) -> Field? { fields[name.lowercased()] }

    /// Without a field.
    func without(_ name: String) -> Deb822Paragraph {
        var other = self
        other.fields[name.lowercased()] = nil
        return other
    }

    /// Takes in a line; nil for one that was too long.
    mutating func append(_ bytes: [UInt8]?, line: Int) {
        guard refusal == nil else { return }
        byteCount += bytes?.count ?? 0
        guard let bytes, byteCount <= ImportLimits.entryBytes else {
            return refuse("the paragraph has more than \(ImportLimits.entryBytes) bytes", line)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return refuse("the line is not UTF-8", line)
        }
        // By bytes: a mark behind a blank is one `Character` with it.
        let first = bytes.first
        guard first != UInt8(ascii: "#") else { return }
        if first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
            continueField(text, line)
        } else {
            beginField(text, line)
        }
    }

    private mutating func continueField(_ text: String, _ line: Int) {
        guard let last else {
            return refuse("the line continues a field, but none has begun", line)
        }
        // " ." stands for an empty line.
        let rest = text.dropFirst()
        fields[last]?.value += "\n" + (rest == "." ? "" : String(rest))
    }

    private mutating func beginField(_ text: String, _ line: Int) {
        guard let colon = text.firstIndex(of: ":"), colon > text.startIndex else {
            return refuse("the line has no \"Field: value\"", line)
        }
        let name = text[..<colon].lowercased()
        guard !name.contains(where: { $0 == " " || $0 == "\t" }) else {
            return refuse("the name of a field has a blank", line)
        }
        guard fields[name] == nil else {
            return refuse("field \(text[..<colon]) stands twice in the paragraph", line)
        }
        let value = text[text.index(after: colon)...]
        let begin = value.firstIndex { $0 != " " && $0 != "\t" } ?? value.endIndex
        let column = text.distance(from: text.startIndex, to: begin) + 1
        fields[name] = Field(
            value: TextValueDecoder.trimmed(String(value)), line: line, column: column)
        last = name
    }

    private mutating func refuse(_ reason: String, _ line: Int) {
        refusal = ImportRefusal(line: line, reason: reason)
    }
}
