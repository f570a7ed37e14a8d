import FresnelClient
import FresnelModel

/// One run of `fresnel index`: reads sources into an import and shows how far it is.
///
/// However it ends, it says what is acknowledged: whole, stopped by an interrupt, or by an error. A
/// source that cannot be read ends alone: what came before it and the other sources are imported.
final class ImportRun {
    private let session: ImportSession
    private let display: ImportDisplay
    private let interrupt: ImportInterrupt
    /// Whether what an earlier run has imported is imported again.
    private let isAnew: Bool
    /// Asks when documents of the index expire that name no date.
    private let policy: () async -> ExpirationPolicy?
    private var skipped = 0
    private var hasUnreadableSource = false

    /// Why a source cannot be read, or not to its end.
    private struct Unreadable: Error {
        let reason: SearchError
    }

    init(
        _ session: ImportSession, display: ImportDisplay, interrupt: ImportInterrupt, isAnew: Bool,
        policy: @escaping () async -> ExpirationPolicy?
    ) {
        self.session = session
        self.display = display
        self.interrupt = interrupt
        self.isAnew = isAnew
        self.policy = policy
        session.onProgress = { [unowned self] _ in
            interrupt.note(progress)
            display.show(progress)
        }
        session.onRefusal = { display.refuse($1, in: $0) }
    }

    /// Imports sources one after the other; `options` says how each is read.
    func run(
        _ sources: [ImportSource], options: (ImportSource) async throws -> ImportOptions
    ) async throws -> ExitStatus {
        do {
            for source in sources where !interrupt.isRequested {
                interrupt.begin(standardInput: source.isStandardInput)
                let options = try await options(source)
                do {
                    try await read(source, options)
                } catch let unreadable as Unreadable {
                    hasUnreadableSource = true
                    display.complain("fresnel: \(unreadable.reason)")
                }
            }
            guard !interrupt.isRequested else { return try await stop() }
            _ = try await session.finish()
        } catch {
            display.finish(progress, as: .failed)
            throw error
        }
        display.finish(
            progress, as: hasUnreadableSource ? .failed : .complete, expiration: await policy())
        if hasUnreadableSource, sources.count == 1, progress.acknowledged == 0 { return .usage }
        return progress.refused == 0 && !hasUnreadableSource ? .complete : .failed
    }

    private var progress: ImportProgress {
        var progress = session.progress
        progress.skipped = skipped
        return progress
    }

    private func read(_ source: ImportSource, _ options: ImportOptions) async throws {
        let (reader, resumePoint) = try reading { () throws(SearchError) in
            (
                try ImportReader(source, options: options),
                try session.resumePoint(for: source)
            )
        }
        let done = isAnew ? 0 : resumePoint
        if done > 0 {
            display.complain("\(source.name): goes on after line \(done); --restart begins anew")
        }
        try await session.begin(source)
        while !interrupt.isRequested,
            let entry = try reading({ () throws(SearchError) in
                try interrupt.reading { () throws(SearchError) in
                    try reader.nextEntry(session.types)
                }
            })
        {
            let line = reader.linesConsumed
            if line <= done {
                skipped += 1
            } else {
                try await session.add(entry, through: line)
            }
        }
        guard !interrupt.isRequested else { return }
        for column in reader.missingColumns { display.complain(Self.missing(column, in: source)) }
    }

    /// What a mapping of what no document has is worth: it is mistyped, perhaps.
    static func missing(_ column: String, in source: ImportSource) -> String {
        "\(source.name): no document has \"\(column)\", which --map names"
    }

    /// Tells what the source is at fault for from what the cluster is.
    private func reading<Answer>(
        _ body: () throws(SearchError) -> Answer
    ) throws(Unreadable) -> Answer {
        do throws(SearchError) {
            return try body()
        } catch {
            throw Unreadable(reason: error)
        }
    }

    /// What is on its way is waited for, what was read and not sent is not.
    private func stop() async throws -> ExitStatus {
        try await session.stop()
        display.finish(progress, as: .interrupted)
        display.complain(interrupt.advice)
        return .failed
    }
}

extension ImportSource {
    fileprivate var isStandardInput: Bool {
        if case .standardInput = self { true } else { false }
    }
}
