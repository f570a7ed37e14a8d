import FresnelClient
import FresnelModel
import FresnelSystem

extension LoadRun {
    /// Makes one request and records what came of it.
    func perform(_ planned: PlannedRequest, _ clock: RunClock) async {
        var draws = SeededGenerator(seed: planned.seed)
        let kind = workload.classes[planned.place]
        let client = clients[share.place(of: planned.number) % clients.count]
        switch kind.action {
        case .query(let template):
            let text = template.filled(from: terms, by: &draws)
            await ask(text, of: kind, client, planned, clock, isChecked: checker.isDue(&draws))
        case .log(let log):
            let text = log.queries[planned.number % log.queries.count].text
            await ask(text, of: kind, client, planned, clock, isChecked: checker.isDue(&draws))
        case .recorded(let requests):
            var recorded = kind
            recorded.request = requests[planned.number % requests.count]
            await ask(
                recorded.request.query, of: recorded, client, planned, clock,
                isChecked: checker.isDue(&draws))
        case .typing(let template, let text, let pause):
            let typed = text.filled(from: terms, by: &draws)
            await type(typed, into: template, pause, of: kind, client, planned, clock)
        case .write(let write):
            await perform(write, of: kind, planned, clock, &draws)
        }
    }

    /// Asks one query, and looks at its answer.
    private func ask(
        _ text: String, of kind: LoadClass, _ client: SearchClient, _ planned: PlannedRequest,
        _ clock: RunClock, isChecked: Bool
    ) async {
        var request = kind.request
        request.query = text
        request.isAnnounced = isAnnounced(planned)
        var watch = AnswerWatch(planned: planned.planned, sent: clock.now)
        let query = client.search(request)
        do {
            for try await batch in query.batches {
                watch.take(batch, limit: request.limit, at: clock.now, keeping: isChecked)
                // A long answer that is here already is decoded batch by batch without a pause;
                // requests that are due meanwhile go first.
                await Task.yield()
            }
            let completion = try await query.completion()
            if let accepted = query.acceptedNanoseconds {
                watch.accept(at: clock.since(accepted))
            }
            watch.complete(at: clock.now)
            var record = watch.record(of: completion, place: planned.place, ended: clock.now)
            if record.outcome == .complete,
                !recorder.isKnown(kind.question(request), place: planned.place, completion)
            {
                record.outcome = .wrong
            }
            if record.outcome == .complete, isChecked {
                let complaint = await checker.complaint(about: watch.kept, request, client)
                recorder.takeMatch(complaint)
                if complaint != nil { record.outcome = .wrong }
            }
            end(record)
        } catch {
            if let mismatch = error.orderMismatch { recorder.complain("\(text): \(mismatch)") }
            end(
                RequestRecord(
                    place: planned.place, planned: planned.planned, sent: watch.sent,
                    ended: clock.now, outcome: Outcome(of: error)))
            // A closed loop asks again at once, which nobody does who was sent away.
            if error.code == .busy { _ = await clock.sleep(until: clock.now + 50_000_000) }
        }
    }

    /// Takes a request that has ended; what the load's interrupt cut off counts for nothing.
    private func end(_ record: RequestRecord) {
        if Task.isCancelled, record.outcome.isFailure, record.outcome != .wrong {
            recorder.cutOff(record)
        } else {
            recorder.end(record)
        }
    }

    /// Whether this request asks for its acceptance: those in even distances, so that two runs of
    /// the same seed ask the same.
    private func isAnnounced(_ planned: PlannedRequest) -> Bool {
        let count = Double(planned.number)
        return (count * acceptedShare).rounded(.down)
            != ((count + 1) * acceptedShare).rounded(.down)
    }

    /// Types a text: one query a letter on the same slot.
    ///
    /// Each counts from its letter; those that a newer one took the place of count for nothing.
    private func type(
        _ text: String, into template: QueryTemplate, _ pause: Double, of kind: LoadClass,
        _ client: SearchClient, _ planned: PlannedRequest, _ clock: RunClock
    ) async {
        var draws = SeededGenerator(seed: planned.seed)
        // Others than those of terms, which so do not depend on what is looked at.
        var looks = SeededGenerator(seed: ~planned.seed)
        var kind = kind
        kind.request.slot = "load-\(seed)-\(planned.number)"
        await withDiscardingTaskGroup { group in
            for (number, end) in text.indices.enumerated() {
                let moment = planned.planned + Int64(Double(number) * pause * 1e9)
                guard await clock.sleep(until: moment) else { return }
                let query = template.filled(
                    from: terms, typed: String(text[...end]), by: &draws)
                let letter = PlannedRequest(
                    number: planned.number, place: planned.place, planned: moment, seed: 0)
                // The first letter was begun with the request itself.
                if number > 0 { _ = recorder.begin(most: .max) }
                let asked = kind
                let isChecked = checker.isDue(&looks)
                group.addTask {
                    await ask(query, of: asked, client, letter, clock, isChecked: isChecked)
                }
            }
        }
        if text.isEmpty {
            end(
                RequestRecord(
                    place: planned.place, planned: planned.planned, sent: clock.now,
                    ended: clock.now, outcome: .superseded))
        }
    }

    /// Writes one document of the load's own.
    private func perform(
        _ write: LoadClass.Write, of kind: LoadClass, _ planned: PlannedRequest,
        _ clock: RunClock, _ draws: inout SeededGenerator
    ) async {
        let sent = clock.now
        var outcome = Outcome.complete
        do {
            guard let writer = writers.writer(of: kind) else {
                throw SearchError(.invalidArgument, "nothing to write with")
            }
            try await writer.perform(write, terms: terms, &draws)
        } catch {
            outcome = .failed((error as? SearchError)?.code ?? .internalError)
        }
        let ended = clock.now
        var record = RequestRecord(
            place: planned.place, planned: planned.planned, sent: sent, ended: ended,
            outcome: outcome)
        record.moments = [(.completion, ended - planned.planned)]
        end(record)
    }
}

extension LoadClass {
    /// What tells a question from others of its class: the query, and what else may differ.
    fileprivate func question(_ request: SearchRequest) -> String {
        guard case .recorded = action else { return request.query }
        let limit = request.limit.map(String.init) ?? "all"
        let sort = request.sort.map { "\($0)" }.joined(separator: ",")
        return [
            request.query, "limit \(limit)", "sort \(sort)", request.delivery.rawValue,
            "filters \(request.filters)", "indexes \(request.indexes.map(\.text))",
            "count \(request.isCountOnly)",
        ].joined(separator: " ")
    }
}

/// The moments of one answer as they come.
struct AnswerWatch {
    let planned: Int64
    let sent: Int64
    private(set) var moments: [(Moment, Int64)] = []
    private(set) var delivered = 0
    private var last: Int64 = 0
    /// Identifiers of the first hits, where somebody will look at them.
    private(set) var kept: [Hit] = []

    /// No more hits of an answer are looked at.
    static let keptMost = 20

    init(planned: Int64, sent: Int64) {
        self.planned = planned
        self.sent = sent
    }

    mutating func take(_ batch: [Hit], limit: Int?, at now: Int64, keeping: Bool) {
        guard !batch.isEmpty else { return }
        if delivered == 0 { moments.append((.firstItem, now - planned)) }
        let page = min(Moment.pageSize, limit ?? .max)
        if delivered < page, delivered + batch.count >= page {
            moments.append((.page, now - planned))
        }
        delivered += batch.count
        last = now
        if keeping, kept.count < Self.keptMost {
            kept += batch.prefix(Self.keptMost - kept.count)
        }
    }

    mutating func accept(at moment: Int64) {
        moments.append((.accepted, moment - planned))
    }

    mutating func complete(at now: Int64) {
        if delivered > 0 {
            // An answer of less than a page is settled when its end is known.
            if !moments.contains(where: { $0.0 == .page }) {
                moments.append((.page, now - planned))
            }
            moments.append((.lastItem, last - planned))
        }
        moments.append((.completion, now - planned))
    }

    func record(of completion: Completion, place: Int, ended: Int64) -> RequestRecord {
        var outcome = Outcome.complete
        if let error = completion.error {
            outcome = .failed(error.code)
        } else if completion.status == .cancelled {
            outcome = .superseded
        } else if !completion.isComplete {
            outcome = .incomplete(completion.status)
        }
        var record = RequestRecord(
            place: place, planned: planned, sent: sent, ended: ended, outcome: outcome)
        record.moments = moments
        record.found = completion.found
        if outcome == .complete { record.isKept = completion.isKept }
        // The reports of a kept answer tell of work that was done, and counted, before.
        if !completion.isKept { record.shards = completion.shards }
        if outcome == .complete, !completion.isKept {
            record.service = ServiceSamples.Sample(
                completion, place: place, elapsed: ended - sent)
        }
        if outcome != .superseded {
            for shard in completion.shards where !shard.isWhole {
                let worker = shard.worker.map { " on \($0.name)" } ?? ""
                record.shardFaults.append(
                    "\(shard.index.text) \(shard.shard.number)\(worker): \(shard.status.rawValue)")
            }
        }
        return record
    }
}
