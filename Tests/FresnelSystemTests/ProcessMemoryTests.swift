import FresnelSystem
import Testing

@Suite("Freed memory")
struct ProcessMemoryTests {
    @Test("goes back to the system with the free end of the thread's own, when it is told to")
    func givingBack() {
        ProcessMemory.keepLittleFree()
        let blocks = FreedBlocks(count: 1500, bytes: 12 << 10)
        #expect(blocks.residentCount > 750, "18 MB are kept while a thread works")
        ProcessMemory.giveBackFreed()
        // Others may have taken some meanwhile.
        #expect(blocks.residentCount < 375)
    }
}
