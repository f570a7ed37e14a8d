extension Span<UInt8> {
    /// Appends these bytes to an array; an empty one becomes exactly as large as they are.
    func copy(to array: inout [UInt8]) {
        guard count > 0 else { return }
        // The array copies the bytes during the call.
        unsafe withUnsafeBufferPointer { buffer in
            if array.isEmpty, array.capacity < buffer.count {
                unsafe array = [UInt8](buffer)
            } else {
                unsafe array.append(contentsOf: buffer)
            }
        }
    }
}
