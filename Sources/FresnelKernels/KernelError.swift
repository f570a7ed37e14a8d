/// Why bytes could not be read or written.
package enum KernelError: Error, Equatable, Sendable {
    /// The bytes end at `offset`, `needed` bytes too early.
    case truncated(offset: Int, needed: Int)
    /// A variable-length integer at `offset` does not fit its type.
    case oversizedInteger(offset: Int)
    /// A length at `offset` is above what the caller allows.
    case overLimit(offset: Int, length: UInt64, limit: Int)
    /// The string at `offset` is not UTF-8.
    case invalidText(offset: Int)
    /// Bytes remain after `offset` where the value should have ended.
    case trailingBytes(offset: Int, count: Int)
    /// A byte at `offset` has a value that its place does not allow.
    case invalidByte(offset: Int, value: UInt8)
    /// The numbers at `offset` are not strictly ascending or leave the range of 32 bits.
    case notAscending(offset: Int)
}

extension KernelError: CustomStringConvertible {
    /// What is wrong, and at which byte.
    package var description: String {
        switch self {
        case .truncated(let offset, let needed):
            "bytes end at offset \(offset), \(needed) too early; the source is cut short"
        case .oversizedInteger(let offset):
            "the integer at offset \(offset) does not fit its type; the source is damaged"
        case .overLimit(let offset, let length, let limit):
            "the length at offset \(offset) is \(length), allowed are \(limit); send less at once"
        case .invalidText(let offset):
            "the text at offset \(offset) is not UTF-8; encode it as UTF-8"
        case .trailingBytes(let offset, let count):
            "\(count) bytes too many from offset \(offset); the source has another format"
        case .invalidByte(let offset, let value):
            "byte \(value) at offset \(offset) is not allowed there; the source is damaged"
        case .notAscending(let offset):
            "numbers at offset \(offset) do not ascend within 32 bits; the source is damaged"
        }
    }
}
