/// What Fresnel needs of the documents that S3 answers with: objects of a list, and why something
/// was refused.
///
/// A reader of exactly these elements, not of XML: our own names need no escaping, and an object
/// of another name is left out. Total: any bytes give an answer.
struct S3Answer {
    private let text: String

    init(_ bytes: [UInt8]) { text = String(decoding: bytes, as: UTF8.self) }

    /// The error's code.
    var code: String? { Self.element("Code", of: text[...]) }

    /// The error's text.
    var message: String? { Self.element("Message", of: text[...]) }

    /// Whether the list goes on.
    var isTruncated: Bool { Self.element("IsTruncated", of: text[...]) == "true" }

    /// The objects of a list, in its order.
    var objects: [(name: String, bytes: UInt64)] {
        var rest = text[...]
        var found: [(name: String, bytes: UInt64)] = []
        while let (contents, after) = Self.next("Contents", of: rest) {
            rest = after
            guard let name = Self.element("Key", of: contents), !name.contains("&"),
                let bytes = Self.element("Size", of: contents).flatMap({ UInt64($0) })
            else { continue }
            found.append((name, bytes))
        }
        return found
    }

    private static func element(_ name: String, of text: Substring) -> String? {
        next(name, of: text).map { String($0.inside) }
    }

    private static func next(
        _ name: String, of text: Substring
    ) -> (inside: Substring, after: Substring)? {
        guard let start = text.firstRange(of: "<\(name)>"),
            let end = text[start.upperBound...].firstRange(of: "</\(name)>")
        else { return nil }
        return (text[start.upperBound..<end.lowerBound], text[end.upperBound...])
    }
}
