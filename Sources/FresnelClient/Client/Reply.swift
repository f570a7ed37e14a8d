import FresnelSession
import FresnelWire
import ZeroMQ

/// The one answer to a request that has one; waited for by one task.
final class Reply: NoticeSink {
    private typealias Answer = Result<ClientNotice, SearchError>

    private enum State {
        case open
        case awaited(CheckedContinuation<Answer, Never>)
        case answered(Answer)
    }

    private let state = Guarded(State.open)

    func receive(_ notice: ClientNotice) {
        guard notice.isLast else { return }
        if case .failed(let failure) = notice {
            finish(.failure(SearchError(failure)))
        } else {
            finish(.success(notice))
        }
    }

    func fail(_ error: SearchError) { finish(.failure(error)) }

    /// The answer, as soon as it is there; an error at once when the task is cancelled.
    func value() async throws(SearchError) -> ClientNotice {
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answered = state.withLock { state -> Answer? in
                    if case .answered(let answer) = state { return answer }
                    state = .awaited(continuation)
                    return nil
                }
                if let answered { continuation.resume(returning: answered) }
            }
        } onCancel: {
            fail(
                SearchError(
                    .cancelled,
                    "the task was cancelled; whether the request was carried out is open"))
        }
        return try answer.get()
    }

    private func finish(_ answer: Answer) {
        let waiting = state.withLock { state -> CheckedContinuation<Answer, Never>? in
            switch state {
            case .answered: return nil
            case .open:
                state = .answered(answer)
                return nil
            case .awaited(let continuation):
                state = .answered(answer)
                return continuation
            }
        }
        waiting?.resume(returning: answer)
    }
}
