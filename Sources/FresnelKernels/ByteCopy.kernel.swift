extension [UInt8] {
    /// Copies borrowed bytes into an array of their own.
    package init(copying bytes: Span<UInt8>) {
        // The buffer lives for the closure only; the array copies from it at once.
        self = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    }

    /// Appends borrowed bytes.
    package mutating func append(copying bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
