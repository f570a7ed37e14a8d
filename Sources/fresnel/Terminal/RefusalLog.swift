import FresnelClient
import Synchronization

/// Which refusals of an import are printed: the first of each kind, while the others are counted.
///
/// Two refusals are of a kind when their reasons differ only in numbers and in what is quoted. Of
/// more kinds than it can tell apart it takes the rest for one.
final class RefusalLog: Sendable {
    private struct Kind {
        var count = 0
        /// The newest that was not printed.
        var last = ""
    }

    private struct State {
        var kinds: [String: Kind] = [:]
        /// In the order in which they appeared.
        var order: [String] = []
    }

    private let state = Mutex(State())

    /// Refusals of a kind that are printed.
    static let printed = 20
    private static let kindLimit = 100

    /// Takes a refusal in; whether it is to be printed.
    func take(_ refusal: ImportRefusal, in source: String) -> Bool {
        let reason = Self.kind(of: refusal.reason)
        return state.withLock { state in
            let name =
                state.kinds[reason] != nil || state.order.count < Self.kindLimit ? reason : ""
            if state.kinds[name] == nil { state.order.append(name) }
            var kind = state.kinds[name] ?? Kind()
            kind.count += 1
            let isPrinted = kind.count <= Self.printed
            if !isPrinted { kind.last = ShownText.oneLine("\(source):\(refusal)") }
            state.kinds[name] = kind
            return isPrinted
        }
    }

    /// A line for each kind of which some were not printed.
    func summary() -> [String] {
        state.withLock { state in
            state.order.compactMap { name in
                guard let kind = state.kinds[name], kind.count > Self.printed else { return nil }
                let what = name.isEmpty ? "for other reasons" : "for the same reason"
                return "\(kind.count - Self.printed) more refused \(what), the last \(kind.last)"
            }
        }
    }

    /// A reason without numbers and without what stands in quotation marks.
    private static func kind(of reason: String) -> String {
        var kind = ""
        var quote: Character?
        for character in reason {
            if let open = quote {
                if character == open { quote = nil }
                continue
            }
            if character == "\"" || character == "'" || character == "`" {
                quote = character
                kind.append("…")
            } else if character.isNumber {
                if kind.last != "#" { kind.append("#") }
            } else {
                kind.append(character)
            }
        }
        return kind
    }
}
