import FresnelModel
import FresnelSystem

/// Copies what recovery cuts off a journal file beside it, so that nobody has to believe that it
/// was worthless.
///
/// The first tail of `journal-….fj` becomes `journal-….fj.torn`, later ones `.torn.2`, `.torn.3`
/// and so on; the newest of a directory stay.
struct TornTailKeeper {
    /// One kept tail; by journal file, then by age.
    private struct Kept {
        let name: String
        let file: String
        let number: Int
    }

    private let directory: String
    private let fileName: String
    private let storage: any Storage

    init(besides file: String, storage: any Storage) {
        directory = FilePath.directory(of: file)
        fileName = FilePath.name(of: file)
        self.storage = storage
    }

    /// Makes a copy durable, then removes the oldest ones above the limit.
    ///
    /// A start that was interrupted after the copy finds it and makes no second one.
    func keep(_ bytes: [UInt8]) throws(SystemError) -> (path: String, dropped: [String]) {
        var kept = try storage.list(directory).compactMap(Self.kept).sorted {
            ($0.file, $0.number) < ($1.file, $1.number)
        }
        let newest = kept.last { $0.file == fileName }
        if let newest, try storage.read(path(newest)) == bytes {
            return (path(newest), [])
        }
        let number = (newest?.number ?? 0) + 1
        let name = fileName + Self.suffix + (number == 1 ? "" : ".\(number)")
        try storage.replaceFile(FilePath.join(directory, name), with: bytes)
        kept.append(Kept(name: name, file: fileName, number: number))
        var dropped: [String] = []
        for old in kept.dropLast(JournalLimits.keptTails) {
            try storage.remove(path(old))
            dropped.append(path(old))
        }
        return (FilePath.join(directory, name), dropped)
    }

    private static let suffix = ".torn"

    private func path(_ kept: Kept) -> String { FilePath.join(directory, kept.name) }

    private static func kept(name: String) -> Kept? {
        let file = String(name.prefix(JournalDirectory.nameLength))
        guard JournalDirectory.first(inName: file) != nil else { return nil }
        var rest = name.dropFirst(file.count)
        guard rest.hasPrefix(suffix) else { return nil }
        rest = rest.dropFirst(suffix.count)
        guard !rest.isEmpty else { return Kept(name: name, file: file, number: 1) }
        guard rest.first == ".", let number = Int(rest.dropFirst()) else { return nil }
        return Kept(name: name, file: file, number: number)
    }
}
