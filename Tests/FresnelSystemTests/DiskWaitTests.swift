import FresnelSystem
import Synchronization
import Testing

@Suite("Waiting for a disk beside other work")
struct DiskWaitTests {
    private static let failure = SystemError.failed(
        call: "fsync", path: "journal", reason: .inputOutput)

    @Test("What nobody has begun is done by who asks, once", arguments: [false, true])
    func alone(fails: Bool) {
        let count = Mutex(0)
        let wait = DiskWait { () throws(SystemError) in
            count.withLock { $0 += 1 }
            if fails { throw Self.failure }
        }
        #expect(wait.failure() == (fails ? Self.failure : nil))
        wait.run()
        #expect(count.withLock { $0 } == 1)
    }

    @Test("Whoever is first does it, and both know what came of it", arguments: 0..<200)
    func together(number: Int) async {
        let fails = number.isMultiple(of: 3)
        let count = Mutex(0)
        let wait = DiskWait { () throws(SystemError) in
            count.withLock { $0 += 1 }
            if fails { throw Self.failure }
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { wait.run() }
            #expect(wait.failure() == (fails ? Self.failure : nil))
        }
        #expect(count.withLock { $0 } == 1)
    }
}
