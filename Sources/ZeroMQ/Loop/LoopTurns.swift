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
                for mail in mailbox.takeAll() { try handler.receive(mail) }
                core.runJobs()
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

    private func drain(_ socket: SocketID) throws(ZeroMQError) {
        for _ in 0..<messagesPerTurn {
            guard let reception = try poller.receive(on: socket) else { return }
            try handler.receive(reception, on: socket)
        }
    }
}
