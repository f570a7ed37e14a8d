extension FrameSlice {
    /// The bytes as an array of their own.
    package func copyBytes() -> [UInt8] {
        let count = count
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { target, initialized in
            withSpan { source in
                // Both sides have `count` bytes and cannot overlap: the target is new.
                unsafe source.withUnsafeBufferPointer { buffer in
                    if let from = buffer.baseAddress, let to = target.baseAddress {
                        unsafe to.initialize(from: from, count: count)
                    }
                }
            }
            initialized = count
        }
    }
}

extension Frame {
    /// The bytes as an array of their own.
    package func copyBytes() -> [UInt8] { slice(0..<count).copyBytes() }
}
