import Testing
import ZeroMQ

@Suite("Mailboxes")
struct MailboxTests {
    @Test("A full mailbox refuses, and takes again when it was emptied")
    func bounded() throws {
        let mailbox = Mailbox<Int>(capacity: 3, wakeUp: try WakeUp())
        #expect((0..<5).map { mailbox.post($0) } == [true, true, true, false, false])
        #expect(mailbox.takeAll() == [0, 1, 2])
        #expect(mailbox.takeAll().isEmpty)
        #expect(mailbox.post(9))
        #expect(mailbox.takeAll() == [9])
    }

    @Test("A closed mailbox refuses and gives back what was left")
    func closed() throws {
        let mailbox = Mailbox<Int>(capacity: 3, wakeUp: try WakeUp())
        #expect(mailbox.post(1))
        #expect(mailbox.close() == [1])
        #expect(!mailbox.post(2))
    }

    @Test("A post wakes the poller, once for all that follow")
    func wakes() throws {
        let wakeUp = try WakeUp()
        let poller = try Poller(wakeUp: wakeUp)
        let mailbox = Mailbox<Int>(capacity: 10, wakeUp: wakeUp)
        #expect(try poller.wait(upTo: .zero).isWoken == false)
        for number in 0..<10 { #expect(mailbox.post(number)) }
        #expect(try poller.wait(upTo: patience).isWoken)
        wakeUp.clear()
        #expect(mailbox.takeAll().count == 10)
        #expect(try poller.wait(upTo: .zero).isWoken == false)
    }

    @Test("A message is waited for although a send took the news of it", arguments: [true, false])
    func newsTaken(bySending: Bool) throws {
        let context = try testContext()
        let poller = try Poller(wakeUp: try WakeUp())
        let id = try poller.add(try Socket(.quiet(.pair), in: context))
        let endpoint = newInprocEndpoint()
        try poller.withSocket(id) { (socket) throws(ZeroMQError) in
            _ = try socket.bind(endpoint)
        }
        let peer = try Socket(.quiet(.pair), in: context)
        try peer.connect(endpoint)
        for _ in 0..<5 {
            #expect(try poller.receive(on: id) == nil)
            #expect(try peer.send([text("news")]) == .sent)
            if bySending {
                // Only a send that comes a millisecond or so after the last look takes commands;
                // most of these find the queue full.
                for _ in 0..<50_000 { _ = try poller.send([text("x")], on: id) }
            } else {
                try poller.withSocket(id) { (socket) throws(ZeroMQError) in
                    _ = try socket.waitForRoom(upTo: .zero)
                }
            }
            #expect(try poller.wait(upTo: patience).sockets == [id])
            #expect(try poller.receive(on: id) != nil)
        }
    }

    @Test("A closed socket is polled no more, and the others still are")
    func pollerWithoutClosed() throws {
        let context = try testContext()
        let poller = try Poller(wakeUp: try WakeUp())
        let first = try poller.add(try Socket(.quiet(.pair), in: context))
        let second = try poller.add(try Socket(.quiet(.pair), in: context))
        let endpoint = newInprocEndpoint()
        try poller.withSocket(second) { (socket) throws(ZeroMQError) in
            _ = try socket.bind(endpoint)
        }
        let sender = try Socket(.quiet(.pair), in: context)
        try sender.connect(endpoint)
        poller.close(first)
        #expect(try sender.send([text("x")]) == .sent)
        #expect(try poller.wait(upTo: patience).sockets == [second])
        #expect(try poller.send([text("x")], on: first) == .unreachable)
        #expect(try poller.receive(on: first) == nil)
        #expect(try poller.receive(on: second) != nil)
    }
}
