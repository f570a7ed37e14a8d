import FresnelClient
import FresnelModel
import Synchronization
import Testing

@testable import FresnelLoad

/// What a load says of hits that are no documents, and of hits that are not the completion's.
@Suite("Hits without documents")
struct AnswerCheckerTests {
    /// A cluster that delivers `hits`, whatever is asked, and has `documents`, each a fetch long.
    private final class Source: AnswerSource {
        private struct State {
            var asked: [SearchRequest] = []
            var fetched: [(identifiers: [String], now: Timestamp?)] = []
        }

        private let hits: [Hit]
        private let documents: [[String]]
        private let isWhole: [Bool]
        private let error: SearchError?
        private let state = Mutex(State())

        init(
            again hits: [String], documents: [[String]], isWhole: [Bool] = [true, true],
            error: SearchError? = nil
        ) {
            self.hits = hits.map { Hit(uniqueIdentifier: $0) }
            self.documents = documents
            self.isWhole = isWhole
            self.error = error
        }

        var asked: [SearchRequest] { state.withLock { $0.asked } }
        var fetched: [(identifiers: [String], now: Timestamp?)] { state.withLock { $0.fetched } }

        func documents(
            _ identifiers: [String], in index: IndexName, now: Timestamp?
        ) async throws(SearchError) -> (documents: [Document], isWhole: Bool) {
            let turn = state.withLock { state in
                state.fetched.append((identifiers, now))
                return state.fetched.count - 1
            }
            let there = documents[turn].filter { identifiers.contains($0) }
            return (there.map(AnswerCheckerTests.document), isWhole[turn])
        }

        func hits(
            of request: SearchRequest, where isWanted: @Sendable (Hit) -> Bool
        ) async throws(SearchError) -> [Hit] {
            state.withLock { $0.asked.append(request) }
            if let error { throw error }
            return hits.filter(isWanted)
        }
    }

    private static func document(_ identifier: String) -> Document {
        Document(uniqueIdentifier: identifier, attributes: ["title": .string(identifier)])
    }

    private func complaint(
        about hits: [String], _ source: Source, _ change: (inout SearchRequest) -> Void = { _ in }
    ) async -> String? {
        let checker = AnswerChecker(
            schema: AttributeSchema(), now: Timestamp(wholeSeconds: 0), share: 1)
        var request = SearchRequest("title == \"lib*\"")
        change(&request)
        return await checker.complaint(
            about: hits.map { Hit(uniqueIdentifier: $0) }, request, source)
    }

    @Test("A hit that is delivered twice and never is a document is wrong, and named")
    func invented() async {
        let source = Source(again: ["liba", "lobb"], documents: [["liba"], ["liba"]])
        let complaint = await complaint(about: ["liba", "lobb"], source) { request in
            (request.slot, request.isAnnounced, request.limit) = ("load-1", true, 20)
        }
        #expect(
            complaint
                == "title == \"lib*\": delivered lobb, and there is no such document")
        #expect(source.fetched.map(\.identifiers) == [["liba", "lobb"], ["lobb"]])
        // The same request, without what belongs to the first one alone.
        #expect(source.asked.count == 1 && source.asked[0].limit == 20)
        #expect(source.asked[0].slot == nil && !source.asked[0].isAnnounced)
    }

    @Test("What was deleted meanwhile is no complaint, and what is there is not asked again")
    func deleted() async {
        let gone = Source(again: ["liba"], documents: [["liba"], []])
        #expect(await complaint(about: ["liba", "libb"], gone) == nil)
        #expect(gone.asked.count == 1)
        let back = Source(again: ["liba", "libb"], documents: [["liba"], ["libb"]])
        #expect(await complaint(about: ["liba", "libb"], back) == nil)
        let all = Source(again: [], documents: [["liba", "libb"]])
        #expect(await complaint(about: ["liba", "libb"], all) == nil)
        #expect(all.asked.isEmpty && all.fetched.count == 1)
    }

    @Test("A fetch that is not whole, and a cluster that is busy, say nothing")
    func unknown() async {
        for isWhole in [[false, true], [true, false]] {
            let source = Source(again: ["lobb"], documents: [[], []], isWhole: isWhole)
            #expect(await complaint(about: ["lobb"], source) == nil)
        }
        let busy = Source(
            again: ["lobb"], documents: [[], []], error: SearchError(.busy, "not now"))
        #expect(await complaint(about: ["lobb"], busy) == nil)
        #expect(busy.asked.count == 1)
    }

    @Test("Documents are fetched as of the instant that the request names")
    func instants() async {
        let source = Source(again: [], documents: [["liba"]])
        _ = await complaint(about: ["liba"], source) { $0.now = Timestamp(wholeSeconds: 7) }
        #expect(source.fetched.map(\.now) == [Timestamp(wholeSeconds: 7)])
    }

    @Test("A document that does not match is wrong as before")
    func mismatch() async {
        let source = Source(again: [], documents: [["lobb"]])
        #expect(
            await complaint(about: ["lobb"], source)
                == "title == \"lib*\": delivered lobb, which does not match")
    }

    @Test("Hits that are not the completion's are a wrong answer and no failed one")
    func digests() async {
        let mismatch = OrderMismatch(named: "1", taken: "2")
        let error = SearchError(.malformedMessage, "\(mismatch)", underlying: mismatch)
        #expect(Outcome(of: error) == .wrong)
        #expect(
            Outcome(of: SearchError(.malformedMessage, "else")) == .failed(.malformedMessage))
        let source = Source(again: ["lobb"], documents: [[], []], error: error)
        #expect(
            await complaint(about: ["lobb"], source)
                == "title == \"lib*\": asked again, the completion names digest 1, and the hits "
                + "that came have 2")
    }
}
