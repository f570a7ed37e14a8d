import FresnelQuery
import FresnelText
import Synchronization

/// A glob that is compiled when a text must be decided by it: most words are found in the
/// dictionary, and no text is looked at.
///
/// A part of the object that has it, as a lock cannot be copied.
struct LazyGlob: ~Copyable, Sendable {
    private let pattern: TextPattern
    private let language: String?
    private let made: Mutex<GlobPattern?>

    init(_ pattern: TextPattern, language: String?) {
        self.pattern = pattern
        self.language = language
        made = Mutex(nil)
    }

    /// Takes a compiled glob.
    init(_ glob: GlobPattern) {
        pattern = TextPattern(pieces: [], modifiers: [])
        language = nil
        made = Mutex(glob)
    }

    /// The compiled glob.
    var compiled: GlobPattern {
        made.withLock { made in
            if let made { return made }
            let glob = GlobPattern(pattern, language: language)
            made = glob
            return glob
        }
    }
}
