import Foundation

/// Rules about what documents say of the rest of the project.
extension Project {
    func brokenLinks() -> [Complaint] {
        files.filter(\.isMarkdown).flatMap { file in
            Self.prose(of: file).flatMap { index, line in
                line.matches(of: /\]\(([^)\s]+)\)/).compactMap { match in
                    reason(against: String(match.1), in: file).map { file.complaint(index, $0) }
                }
            }
        }
    }

    /// Paths of ours that a document names in code style, or a comment by its document.
    func missingPaths() -> [Complaint] {
        files.filter { $0.isMarkdown || $0.isSwift }
            .filter { !$0.words.isDisjoint(with: Self.folders) }.flatMap { file in
                file.tokens.indices.flatMap { index -> [Complaint] in
                    let line = file.tokens[index].comment
                    let paths = line.matches(
                        of: /(?:Documentation|Sources|Tests|Examples|deploy)\/[\w+\-\/.@]*\w\/?/)
                    return paths.map { String($0.0) }.filter { !Self.isPlaceholder($0, in: line) }
                        .filter { !contains($0.hasSuffix("/") ? String($0.dropLast()) : $0) }
                        .map { file.complaint(index, "\($0) does not exist, use its present name") }
                }
            }
    }

    private static let folders = ["Documentation", "Sources", "Tests", "Examples", "deploy"]

    func undescribedRooms() -> [Complaint] {
        let path = "Documentation/architecture.md"
        let text = files.first { $0.path == path }?.lines.joined(separator: "\n") ?? ""
        return rooms.sorted().filter { !text.contains("`\($0)`") }.map {
            Complaint(path: path, line: 1, message: "\($0) is missing, use a paragraph on it")
        }
    }

    /// Decisions are numbered without doubles, and each is reachable.
    func wrongDecisions() -> [Complaint] {
        let pages = files.filter { $0.path.hasPrefix("Documentation/decisions/") }
        let numbers = Dictionary(grouping: pages) { $0.name.prefix(4) }
        return pages.compactMap { page in
            guard page.name.contains(/^\d{4}-[a-z0-9-]+\.md$/) else {
                return page.complaint(0, "not a decision's name, use 0012-what-was-decided.md")
            }
            return (numbers[page.name.prefix(4)]?.count ?? 0) > 1
                ? page.complaint(0, "a number that another decision has, use the next free one")
                : nil
        }
    }

    /// Texts in quotes that the page of failures says the program says.
    func unknownErrorTexts() -> [Complaint] {
        guard let page = files.first(where: { $0.path == "Documentation/failure-modes.md" }) else {
            return []
        }
        // Long texts are broken in the source, by a backslash or by adding two literals.
        let sources = files.filter { $0.path.hasPrefix("Sources/") && $0.isSwift }
            .map { $0.lines.joined(separator: "\n") }.joined(separator: "\n")
            .replacing(/\\\n\s*|"\s*\n\s*\+ "/, with: "")
        return page.lines.indices.flatMap { index in
            page.lines[index].matches(of: /"([^"]+)"/)
                .flatMap { $0.1.split(separator: "…") }
                .map { $0.trimmingCharacters(in: .whitespaces) }
                .filter { $0.count > 8 && !sources.contains($0) }
                .map { page.complaint(index, "nobody says \"\($0)\", use the program's words") }
        }
    }

    /// The lines outside of code fences, without what stands in code style.
    private static func prose(of file: TextFile) -> [(index: Int, text: String)] {
        var isFenced = false
        return file.lines.indices.compactMap { index in
            if file.lines[index].hasPrefix("```") {
                isFenced.toggle()
                return nil
            }
            return isFenced ? nil : (index, file.lines[index].replacing(/`[^`]*`/, with: ""))
        }
    }

    private func reason(against link: String, in file: TextFile) -> String? {
        if link.contains(/^[a-z]+:/) { return nil }
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let folder = file.path.split(separator: "/").dropLast().map(String.init)
        let target = parts[0].isEmpty ? file.path : Self.path(String(parts[0]), from: folder)
        guard contains(target) else { return "\(link) leads nowhere, use a path that exists" }
        guard parts.count > 1, let page = files.first(where: { $0.path == target }) else {
            return nil
        }
        return Self.anchors(of: page).contains(String(parts[1]))
            ? nil : "\(target) has no heading #\(parts[1]), use one that it has"
    }

    private static func path(_ link: String, from folder: [String]) -> String {
        link.split(separator: "/").reduce(into: folder) { parts, part in
            switch part {
            case ".": break
            case "..": _ = parts.popLast()
            default: parts.append(String(part))
            }
        }.joined(separator: "/")
    }

    /// Headings as links write them: lower case, hyphens for blanks, no punctuation.
    private static func anchors(of page: TextFile) -> Set<String> {
        Set(
            page.lines.filter { $0.hasPrefix("#") }.map { heading in
                heading.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
                    .filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
                    .replacing(" ", with: "-")
            })
    }

    /// Patterns and examples: `Tests/Foo*`, `<Room>`, names still to be chosen.
    private static func isPlaceholder(_ path: String, in line: String) -> Bool {
        line.contains(path + "*") || line.contains(path + "<") || line.contains(path + "{")
            || path.contains("NNNN") || path.contains("VERB") || line.contains("/" + path)
    }
}
