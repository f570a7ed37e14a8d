extension Limits {
    // What a connection may do before it has a session (or, between workers, a ticket), and how
    // many such there may be. Anybody can connect, so these are small and short.

    /// Bytes of a message before a session: a HELLO with its names, a JOIN, a ticket's request.
    package static let strangerMessageBytes = 4 << 10
    /// The same on the workers' control lane: a worker's HELLO lists the shards that it holds.
    package static let strangerInventoryBytes = 257 << 10
    /// How long a connection may be without a session: HELLO and JOIN are sent every 100 ms.
    package static let strangerPatience = Duration.seconds(3)
    /// Connections of one listener without a session at once, as a part of the process's limit of
    /// descriptors: all listeners together leave half of it to others.
    package static let strangersPerDescriptors = 8
    /// The same at the most, and on the workers' control lane, where each may hold an inventory.
    package static let strangers = 1024
    package static let strangersWithInventory = 128
    /// How many of them one address may have: the others are for other addresses.
    package static let strangersPerAddressDivisor = 2
    /// Descriptors without which no command, and no broker, worker or cluster, begins: some twenty
    /// for its threads and sockets; files and peers beside them.
    package static let leastDescriptors = 32
    package static let leastDescriptorsOfRoles = 256
    /// Descriptors that a client's connection leaves free, one from this machine, and a worker's:
    /// so that workers, whoever looks after the cluster, and the files of the process find some.
    package static let clientFreeDescriptors = 128
    package static let operatorFreeDescriptors = 96
    package static let workerFreeDescriptors = 64
    /// Sessions of clients, or workers, that only this machine may have: for whoever looks after
    /// the cluster when all others are taken.
    package static let operatorSessions = 16
    /// Sessions of one other machine's address: the rest is for other addresses.
    package static let sessionsPerAddress = 768
    /// How often connections that were closed without a session are told.
    package static let strangerReportInterval = Duration.seconds(60)
}
