/// Names of connections, five bytes as libzmq gives them; nobody is told his own.
struct RoutingIDs {
    private var last: UInt32

    /// - Parameter number: where they begin; from a source of chance.
    init(after number: UInt32) { last = number }

    /// A name that nobody has.
    ///
    /// - Parameter isTaken: after four thousand million connections, the first may still be there.
    mutating func next(_ isTaken: ([UInt8]) -> Bool) -> [UInt8] {
        while true {
            last &+= 1
            let id: [UInt8] = [
                0, UInt8(last >> 24), UInt8(truncatingIfNeeded: last >> 16),
                UInt8(truncatingIfNeeded: last >> 8), UInt8(truncatingIfNeeded: last),
            ]
            if !isTaken(id) { return id }
        }
    }
}
