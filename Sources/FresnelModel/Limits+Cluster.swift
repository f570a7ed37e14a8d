extension Limits {
    // What the broker, the workers and the client library keep for themselves.

    /// Hits a worker may have sent that were not yet passed on, per query.
    package static let workerWindowItems: UInt64 = 4096
    /// Bytes of hit batches a worker may have sent that were not yet passed on, per query: two of
    /// the largest batches, so that a refill at half always leaves room for one.
    package static let workerWindowBytes: UInt64 = 2 * hitBatchBytes
    /// Bytes that all workers of one query may have sent ahead; each may send one largest batch.
    package static let queryWindowBytes: UInt64 = 32 << 20
    /// Bytes that all workers of all queries of one client may have sent ahead.
    package static let sessionWindowBytes: UInt64 = 256 << 20
    /// Messages in a client's data socket at the broker; what is more waits in front of it.
    package static let clientQueueMessages = 32
    /// Bytes that wait in front of a client's full data socket before its session ends: the answers
    /// of one decision, and small change.
    package static let outboxBytes = 256 << 20
    /// Bytes of the largest hit batch: one hit of the largest document with its sort key.
    package static let hitBatchBytes: UInt64 = 5 << 18
    /// Bytes at which a hit batch is sent: on the plateau of throughput over batch size.
    package static let hitBatchTargetBytes = 64 * 1024
    /// Unreadable messages after which a session ends: bytes can be unlucky, not three times.
    package static let faultsPerSession = 3
    /// Bytes of a bound or threshold beside its message: two fit the frame with much room left.
    package static let boundBytes = 4096
    /// Bytes of the names of Boolean keys beside a hit batch, whose control frame has 16 KiB.
    package static let booleanNameBytes = 12 * 1024
    /// Copies of one shard: each is written before an acknowledgement.
    package static let replicasPerShard = 3
    /// How long a part waits for an in-sync replica that is away or silent, while another one can
    /// be written, before that one is taken out: longer than a connection needs to come back.
    package static let replicaGrace = Duration.milliseconds(500)
    /// How long a part waits for an in-sync replica whose worker is live: a slow disk is not dead.
    package static let replicaPatience = Duration.seconds(5)
    /// Bytes of settled parts of one shard kept for replicas that catch up: what comes while a
    /// report is on its way.
    package static let replicaBacklogBytes = 8 << 20
    /// Snapshots and restores under way in a cluster: each keeps a worker's disk and network busy.
    package static let snapshotJobs = 4
    /// How long batches may wait for those under way to end, and then for replicas to be captured,
    /// which takes milliseconds unless a worker is sick.
    package static let snapshotHold = Duration.seconds(2)
    /// How long a restore whose index is made waits for a worker that is away or cannot open what
    /// it made: longer than a process needs to start again.
    package static let restorePatience = Duration.seconds(10)
    /// How long a snapshot or a restore may take: a day of copying, beyond which nobody waits.
    package static let snapshotBudget = Duration.seconds(86_400)
    /// Copies that one worker gives or gets at once by the broker's orders.
    package static let replicaCopies = 2
    /// Bytes a second of one copy, where nothing else is said: a disk's or a network's larger part
    /// is left to searches and writes.
    package static let replicaBytesPerSecond: UInt64 = 100 << 20
    /// How long a copy may stand still before it is ordered anew.
    package static let replicaStandstill = Duration.seconds(30)
    /// Settled parts that a replica may lack and still be near: what it makes up in a pause.
    package static let replicaNearness = 1024
    /// How long a near replica tries to come to have everything beside new parts.
    package static let replicaApproach = Duration.seconds(1)
    /// How long new parts wait for it then, at most.
    package static let replicaPause = Duration.seconds(2)
    /// From one pause of an index to the next; twice as long each time, up to the longest.
    package static let replicaPauseInterval = Duration.seconds(10)
    package static let replicaPauseIntervalMost = Duration.seconds(300)
    /// The pause before a copy that failed is ordered again.
    package static let replicaRetry = Duration.seconds(2)
    /// How often the broker writes down what is acknowledged while nothing else makes it write: a
    /// directory that is restored from a backup is older than that.
    package static let acknowledgedNote = Duration.seconds(10)
    /// The pause between two comparisons of replicas' contents, between two of a shard that
    /// changes, and of one that does not: each costs its workers what changed, behind everything
    /// else.
    package static let comparisonPause = Duration.seconds(1)
    package static let comparisonInterval = Duration.seconds(10)
    package static let comparisonRepetition = Duration.seconds(3600)
    /// How soon replicas are compared after one of them dropped what had expired, and again after
    /// a comparison found them to differ.
    package static let comparisonAgain = Duration.seconds(2)
    /// How long answers of one comparison are waited for.
    package static let comparisonPatience = Duration.seconds(60)
    /// Shards at once whose replicas prove that they contain the same, how long that may take, as
    /// every document is read, and how long after one that led to nothing the next one begins.
    package static let proofsAtOnce = 4
    package static let proofPatience = Duration.seconds(600)
    package static let proofRetry = Duration.seconds(2)
    /// Moves that one plan begins: what else there is comes with the next one.
    package static let plannedMoves = 512
    /// Plans that wait for the broker's disk.
    package static let plannedAnswers = 64
    /// Workers that are drained at once, those that are gone for good among them.
    package static let drainedWorkers = 1024
    /// Replicas of one shard that workers have still to remove: of more, those that wait longest
    /// are given up.
    package static let droppedReplicas = 64
    /// The pause before a worker is told again to remove a replica.
    package static let dropRetry = Duration.seconds(5)
    /// How long the answer to who makes an index waits for its shards to be open.
    package static let openingPatience = Duration.seconds(3)
    /// How long a replica that left its shard is kept for queries that were to be answered from it:
    /// longer than a search waits for a thread.
    package static let dropPatience = Duration.seconds(60)
    /// How long the operator's word that a loss is accepted waits for replicas that may have more.
    package static let lossPatience = Duration.seconds(10)
    /// What a replica costs beside its bytes, as a plan counts it: memory, files, a journal.
    package static let replicaCostBytes: UInt64 = 64 << 10
    /// How long a plan waits for a worker that came to tell what it holds.
    package static let planPause = Duration.seconds(2)
    /// How long after a process took the name of a live one it may replace none of its replicas.
    package static let displacement = Duration.seconds(30)
    /// How long a process that has a worker's name is asked for a sign of life before another
    /// one of the same directory gets the name, and how long such a sign counts.
    package static let claimPatience = Duration.seconds(1)
    /// How often a peer that was rejected says HELLO again, and the operator hears of it.
    package static let rejectedRetry = Duration.seconds(1)
    package static let refusalTelling = Duration.seconds(60)
    /// Directories of workers that the cluster state knows.
    package static let knownDirectories = 4096
    /// Sessions of clients at once, and of workers: each costs a few sockets' buffers.
    package static let clientSessions = 1024
    package static let workerSessions = 1024
    /// UTF-8 bytes of a client's name and of any peer's software line: both stand in status lines.
    package static let clientNameBytes = 128
    package static let softwareBytes = 256
    /// UTF-8 bytes of the endpoint that a worker names for others.
    package static let endpointBytes = 256
    /// Indexes of one cluster: each of them is named in every ASSIGN, and by a cursor over all.
    package static let indexes = 1024
    /// Replicas of one cluster, shards times copies: should all of them gather on one worker, its
    /// HELLO, HOSTED and PONG list them in 256 KiB, of which one takes at most 146 bytes, and a
    /// SUBQUERY names them beside a whole QUERY and its custom keys.
    package static let clusterReplicas = 1280
    /// Names that lead to indexes.
    package static let aliases = 1024
    /// Removed indexes of which workers that are away have still something.
    package static let removedIndexes = 1024
    /// Replicas of one of them: those it had, and those that workers had still to remove.
    package static let removedReplicas = shardsPerIndex * (replicasPerShard + droppedReplicas)
    /// Answers to changes of indexes that are kept for a client that lost its own.
    package static let indexChanges = 64
    /// Unacknowledged batches of one client, however small they are.
    package static let batchesPerClient = 1024
    /// Importers of one client whose batches were told to come again.
    package static let postponedPerClient = 64
    /// Unknown addresses remembered for not being challenged twice a second.
    package static let challengedAddresses = 4096
    /// Answers to finished batches kept for a resend.
    package static let finishedBatches = 4096
    /// Names of batches whose content is remembered, by some hundred bytes each.
    package static let rememberedBatchNames = 16_384
    /// Shards named by one HOSTED: with the longest index names they fit its frame.
    package static let shardsPerHosted = 1024
    /// UTF-8 bytes of the reason why a replica cannot be opened, and reasons in one HOSTED.
    package static let shardFailureBytes = 600
    package static let failuresPerHosted = 128
    /// Sequence numbers leased at once: one durable write per that many batches.
    package static let sequenceLease: UInt64 = 1_000_000
    /// The budget of a batch that names none: longer than a worker's restart.
    package static let writeBudgetDefault = Duration.seconds(30)
    /// How long the broker tries to write its state before it fails the batches that wait for it.
    package static let persistPatience = Duration.seconds(2)
    /// How long it says nothing more of a state that is not written, once it has.
    package static let persistTelling = Duration.seconds(10)
    /// Queries whose texts the broker need not read again: twice as many at most, 2 KiB each.
    package static let rememberedQueries = 1024
    /// Bytes of the texts of such a query.
    package static let rememberedQueryBytes = 2048
    /// Bytes of term statistics that the broker remembers, about.
    package static let statisticsCacheBytes = 16 << 20
    /// Bytes of answers that the broker keeps, about, unless the operator says otherwise; and of
    /// one of them: all hits of a word in two hundred thousand documents.
    package static let keptAnswersBytes = 32 << 20
    package static let keptAnswerBytes = 2 << 20
    /// Batches of one of them: some thirty are as many bytes, where they are full.
    package static let keptAnswerBatches = 256
    /// Bytes of one that may be kept however many queries run, each of which remembers what it told
    /// for that: the first page of hits with attributes.
    package static let smallAnswerBytes = 64 << 10
    /// Bytes of answers, about, that are told by heart; each is a small one.
    package static let repeatedAnswersBytes = 4 << 20
    /// Bytes of a request, as it travels, whose answer is told by heart.
    package static let repeatedRequestBytes = 4 << 10
    /// Age at which such an answer is told anew: its cursors name the instant of the first telling.
    package static let repeatedAnswerAge = Duration.seconds(1)
    /// Sets of indexes of which it is known where their shards stand.
    package static let rememberedStandings = 256
    /// One try of a round of changes: a client that reads slowly makes it go on in another.
    package static let followRound = Duration.seconds(60)
    /// The least pause between two rounds of a followed query.
    ///
    /// What is written meanwhile comes in one round, so that all follows together ask the workers
    /// a bounded number of times a second.
    package static let followPause = Duration.milliseconds(250)
    /// The pause before a round is tried again; grows with each failure to twenty times as long.
    package static let followRetry = Duration.milliseconds(100)
    /// Rounds of all followed queries that wait for workers at once.
    ///
    /// The others take their turns, who waited longest first, so that many follows do not delay
    /// ordinary queries.
    package static let followTurns = 16
    /// A round that is not answered for so long keeps no other one waiting any more.
    package static let followTurn = Duration.seconds(1)
    /// Tries of one round that workers may break by what they say before it ends the following.
    package static let followTries = 8
    /// Search tasks one worker runs or streams at once: one for each query that the broker runs,
    /// and one for the round of each query that it follows.
    package static let tasksPerWorker = activeQueries + follows
    /// Hits that one search task of a worker keeps in order at once, 24 bytes each.
    ///
    /// What follows them is looked for again when they are sent. Each segment may keep one more.
    package static let searchWindowHits = 65_536
    /// Bytes of hits a client grants beyond those it consumed.
    package static let clientWindowBytes: UInt64 = 8 * 1024 * 1024
    /// Bytes of one chunk of a replica that is copied from worker to worker: large enough that the
    /// way there and back costs little, small enough to be sent again.
    package static let transferChunkBytes = 1 << 20
    /// Bytes that one request of a copy asks for: on the plateau of throughput over chunk size.
    package static let transferRequestBytes = 512 << 10
    /// Bytes of one copy that were asked for and are not yet written: what a receiver may have to
    /// hold.
    package static let transferCreditBytes = 4 << 20
    /// Requests of one ticket that wait at the donor: many times what the credit covers.
    package static let transferRequests = 64
    /// How long a ticket that nobody uses is good.
    package static let transferTicketLife = Duration.seconds(300)
    /// How long a receiver waits for one answer before it asks again.
    package static let transferRetry = Duration.seconds(5)
    /// How long a receiver goes on without anything new from its donor.
    package static let transferPatience = Duration.seconds(30)
    /// How often one copy begins anew with another manifest.
    package static let transferManifests = 8
    /// Bytes of a manifest: millions of deletions.
    package static let transferManifestBytes: UInt64 = 256 << 20
    /// UTF-8 bytes of the name of a replica's file, as copies name it: 32 digits and an ending.
    package static let replicaFileNameBytes = 64
    /// Copies that one worker receives at once; others wait.
    package static let transferCopies = 4
    /// How long what an unfinished copy left is kept for another try.
    package static let transferLeftoverLife = Duration.seconds(600)
    /// How long a replica that is equal to its donor's asks on without anything new.
    package static let transferFollowing = Duration.seconds(60)
    /// Bytes that each journal keeps for deletions on a full disk: thousands of identifiers, and
    /// little beside the room that a small disk has.
    package static let journalReserveBytes = 256 << 10

    /// Replicas of one worker that the broker's state does not know, of which it is told.
    package static let unknownReplicasPerWorker = 4096
    /// Removed indexes that a worker remembers: the broker's state knows them, too, unless it is
    /// older.
    package static let rememberedRemovals = 512
    /// By how much clocks may differ, and one may be set, before nothing is dropped by them: time
    /// daemons keep machines within milliseconds, and a message may be seconds on its way.
    package static let clockTolerance = Duration.seconds(60)
    /// How long a wall clock must go with the monotonic one before something is dropped by it, and
    /// how long what is dropped has been expired.
    package static let clockProof = Duration.seconds(3600)
    /// The same where the clock is further than that from the one that was known: time for somebody
    /// to look at it.
    package static let clockProofAfterGap = Duration.seconds(86_400)
    /// How long a worker drops by what the broker told last.
    package static let dropPermitLife = Duration.seconds(10)
    /// How long clocks must differ before it is said: one that is set is heard of in a second.
    package static let clockNewsGrace = Duration.seconds(2)
    /// The pause between two lines of a log about clocks that still differ.
    package static let clockNewsPause = Duration.seconds(60)

    /// Bytes of a broker's query log, with the file before it; the older half goes at once.
    package static let queryLogBytes = 128 << 20
}
