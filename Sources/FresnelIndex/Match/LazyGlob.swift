import FresnelQuery
import FresnelText
import Synchronization

/// A glob that is compiled when a text must be decided by it: most words are found in the
/// dictionary, and no text is looked at.
final class LazyGlob: Sendable {
    private let pattern: TextPattern
    private let language: String?
    private let compiled = Mutex<GlobPattern?>(nil)

    init(_ pattern: TextPattern, language: String?) {
        self.pattern = pattern
        self.language = language
    }

    /// Takes a compiled glob.
    init(_ glob: GlobPattern) {
        pattern = TextPattern(pieces: [], modifiers: [])
        language = nil
        compiled.withLock { $0 = glob }
    }

    /// The compiled glob.
    var glob: GlobPattern {
        compiled.withLock { compiled in
            if let compiled { return compiled }
            let made = GlobPattern(pattern, language: language)
            compiled = made
            return made
        }
    }
}
