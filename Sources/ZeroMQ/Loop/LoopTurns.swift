/// The turns of an event loop; lives on its thread.
struct LoopTurns<Handler: LoopHandler> {
    let handler: Handler
    let poller: Poller
    let mailbox: Mailbox<Handler.Mail>
    let messagesPerTurn: Int

    /// Turns until the thread is asked to stop, the context is shut down or something throws.
    func run(on core: SocketThread.Core) throws(ZeroMQError) {
        do throws(ZeroMQError) {
            while !core.isStopping {
                let limit = try handler.finishTurn()
                let readiness = try poller.wait(upTo: limit)
                if readiness.isWoken { core.wakeUp.clear() }
                for socket in readiness.sockets { try drain(socket) }
                try work(on: core)
            }
            if handler.takesMailAtStop {
                for mail in mailbox.takeAll() { try handler.receive(mail) }
            }
            try handler.stop()
        } catch {
            // A context that was shut down is the end of the process, which is a stop as well.
            guard error.isTermination else { throw error }
        }
    }

    /// Hands over the mail and runs the jobs; what these ask for in turn, for a few rounds.
    private func work(on core: SocketThread.Core) throws(ZeroMQError) {
        for _ in 0..<Self.roundsPerTurn {
            core.wakeUp.clearOwn()
            for mail in mailbox.takeAll() { try handler.receive(mail) }
            guard core.runJobs() else { return }
        }
    }

    /// Then the sockets have their turn.
    private static var roundsPerTurn: Int { 4 }

    private func drain(_ socket: SocketID) throws(ZeroMQError) {
        for _ in 0..<messagesPerTurn {
            guard let reception = try poller.receive(on: socket) else { return }
            try handler.receive(reception, on: socket)
            poller.flushIfLate()
        }
    }
}
