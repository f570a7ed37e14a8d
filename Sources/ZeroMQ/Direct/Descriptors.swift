/// Whose descriptor is behind each number, and what all direct sockets of a thread share.
final class Descriptors {
    /// Somebody who has a descriptor.
    enum Owner {
        case wakeUp
        case library(LibrarySocket)
        case direct(DirectSocket)
    }

    let queue: DescriptorQueue
    let buffer = ReceiveBuffer()
    private var owners: [UInt64: Owner] = [:]
    private var lastNumber: UInt64 = 0

    init() throws(ZeroMQError) { queue = try DescriptorQueue() }

    /// Begins to wait for a descriptor; returns its number, which is never used again.
    func add(_ descriptor: Int32, for owner: Owner) throws(ZeroMQError) -> UInt64 {
        lastNumber += 1
        try queue.add(descriptor, number: lastNumber)
        owners[lastNumber] = owner
        return lastNumber
    }

    func add(_ descriptor: Int32, for socket: DirectSocket) throws(ZeroMQError) -> UInt64 {
        try add(descriptor, for: .direct(socket))
    }

    func owner(of number: UInt64) -> Owner? { owners[number] }

    func remove(_ descriptor: Int32, number: UInt64) {
        guard owners.removeValue(forKey: number) != nil else { return }
        queue.remove(descriptor)
    }

    func remove(_ connection: DirectConnection) {
        remove(connection.system.descriptor, number: connection.number)
    }

    /// A number of the C library's sequence, which `Context` seeds.
    func chance() -> UInt32 { Chance.next() }
}
