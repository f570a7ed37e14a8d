import FresnelKernels

/// What both readers can do, so that one test body can hold them to the same promises.
protocol ReadsBytes: ~Escapable {
    var offset: Int { get }
    func requireEnd() throws(KernelError)
    mutating func skip(_ count: Int) throws(KernelError)
    mutating func readUInt8() throws(KernelError) -> UInt8
    mutating func readUInt16() throws(KernelError) -> UInt16
    mutating func readUInt32() throws(KernelError) -> UInt32
    mutating func readUInt64() throws(KernelError) -> UInt64
    mutating func readInt64() throws(KernelError) -> Int64
    mutating func readDouble() throws(KernelError) -> Double
    mutating func readVarint() throws(KernelError) -> UInt64
    mutating func readVarint32() throws(KernelError) -> UInt32
    mutating func readZigzag() throws(KernelError) -> Int64
    mutating func readCount(limit: Int, bytesEach: Int) throws(KernelError) -> Int
    mutating func readBytes(count: Int) throws(KernelError) -> [UInt8]
    mutating func readBytes(limit: Int) throws(KernelError) -> [UInt8]
    mutating func readString(limit: Int) throws(KernelError) -> String
}

extension ByteReader: ReadsBytes {}
extension SpanReader: ReadsBytes {}
