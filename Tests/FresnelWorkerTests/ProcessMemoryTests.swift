import FresnelSystem
import Testing

@Suite("Freed memory")
struct ProcessMemoryTests {
    @Test("goes back to the system with the free end of the thread's own, when it is told to")
    func givingBack() throws {
        ProcessMemory.keepLittleFree()
        // 18 MB, which a thread keeps while it works, unless the heap that they lie in ends there.
        let tries = (0..<8).lazy.map { _ in FreedBlocks(count: 1500, bytes: 12 << 10) }
        let blocks = try #require(tries.first { $0.residentCount > 750 })
        ProcessMemory.giveBackFreed()
        // Others may have taken some meanwhile.
        #expect(blocks.residentCount < 375)
    }
}
