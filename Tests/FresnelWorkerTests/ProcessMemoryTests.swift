import FresnelSystem
import Testing

@Suite("Freed memory")
struct ProcessMemoryTests {
    @Test("goes back to the system with the free end of the thread's own, when it is told to")
    func givingBack() async {
        // In a process of its own: allocator and threshold are the whole process's, where other
        // tests take memory and give theirs back meanwhile.
        await #expect(processExitsWith: .success) {
            ProcessMemory.keepLittleFree()
            // 18 MB, which a thread keeps while it works.
            let blocks = FreedBlocks(count: 1500, bytes: 12 << 10)
            try #require(blocks.residentCount > 1400)
            ProcessMemory.giveBackFreed()
            #expect(blocks.residentCount < 100)
        }
    }
}
