import Foundation
import FresnelModel

/// The pages beside the last one that was shown on a terminal, so that nobody copies a cursor.
///
/// `--after next` and `--before previous` mean them, and so does `more` at the prompt. A cursor
/// belongs to its query: for another one they are refused.
struct LastPages: Codable {
    let query: String
    let next: String?
    let previous: String?

    private static let file = "pages.json"

    /// Remembers the pages beside an answer.
    ///
    /// - Returns: false where they cannot be remembered.
    static func keep(_ completion: Completion, of query: String) -> Bool {
        let pages = LastPages(
            query: query, next: completion.next?.description,
            previous: completion.previous?.description)
        // Texts can always be encoded.
        guard let path = PersonalState.path(file), let data = try? JSONEncoder().encode(pages)
        else { return false }
        return PersonalState.write(data, to: path)
    }

    /// What was remembered; nil where there is nothing.
    static func read() -> LastPages? {
        guard let path = PersonalState.path(file),
            let data = FileManager.default.contents(atPath: path)
        else { return nil }
        // A file of another version has nothing to say.
        return try? JSONDecoder().decode(LastPages.self, from: data)
    }

    /// The cursor that an option means: its text, or the page that was remembered.
    static func cursor(
        _ text: String, _ flag: String, of query: String
    ) throws -> SearchCursor {
        guard ["next", "previous"].contains(text) else { return try SearchCursor(text) }
        guard let pages = read(), let cursor = text == "next" ? pages.next : pages.previous else {
            throw CommandError.usage(
                "\(flag) \(text): no answer with a \(text) page was shown on this terminal; give "
                    + "the cursor")
        }
        guard pages.query == query else {
            throw CommandError.usage(
                "\(flag) \(text): the last answer was of another query, \(pages.query)")
        }
        return try SearchCursor(cursor)
    }
}
