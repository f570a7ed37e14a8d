/// One name inside a directory: it leads into the directory, never out of it.
///
/// What came from elsewhere becomes a part of a path only as one of these.
package struct PathComponent: Hashable, Sendable {
    /// The name, as the file system has it.
    package let text: String

    /// A name that is one by its characters; others are written as hexadecimal digits after `%`,
    /// byte by byte, and so is a dot at the beginning.
    ///
    /// Names of ASCII letters, digits, `.`, `_` and `-` stay as they are; two texts never give the
    /// same name.
    package init(escaping name: String) {
        var text = ""
        for (place, byte) in name.utf8.enumerated() {
            if Self.isPlain(byte), place > 0 || byte != UInt8(ascii: ".") {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                text += byte < 16 ? "%0" + digits : "%" + digits
            }
        }
        // An empty name would be the directory itself.
        self.text = text.isEmpty ? "%" : text
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

extension FilePath {
    /// A name from elsewhere inside a directory.
    package static func join(_ directory: String, _ component: PathComponent) -> String {
        join(directory, component.text)
    }
}
