import Testing

@Suite("The project is tidy")
struct TidyTests {
    @Test("Every file keeps the rules of the house", arguments: Rule.all.map(\.name))
    func rules(name: String) throws {
        let files = try Project.current.get().files
        for rule in Rule.all where rule.name == name {
            report(files.flatMap(rule.complaints))
        }
    }

    @Test("Links in documents lead somewhere")
    func links() throws {
        report(try Project.current.get().brokenLinks())
    }

    @Test("Paths that documents and comments name exist")
    func paths() throws {
        report(try Project.current.get().missingPaths())
    }

    @Test("The architecture's page knows every room")
    func rooms() throws {
        report(try Project.current.get().undescribedRooms())
    }

    @Test("Decisions are numbered")
    func decisions() throws {
        report(try Project.current.get().wrongDecisions())
    }

    @Test("Values with texts are compared by bytes")
    func texts() throws {
        report(try Project.current.get().canonicalEqualities())
    }

    @Test("What the page of failures quotes is what the program says")
    func errorTexts() throws {
        report(try Project.current.get().unknownErrorTexts())
    }

    private func report(_ complaints: [Complaint]) {
        for complaint in complaints.sorted() { Issue.record("\(complaint)") }
    }
}
