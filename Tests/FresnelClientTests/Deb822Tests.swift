import FresnelClient
import FresnelModel
import Testing

@Suite("deb822 import")
struct Deb822Tests {
    @Test("A paragraph becomes the document of its package")
    func package() throws {
        let text = """
            # a comment
            Package: hello
            Version: 2.10-3
            Installed-Size: 280
            Size: 53000000
            Maintainer: Santiago Vila <sanvila@debian.org>
            Architecture: amd64
            Priority: optional
            Depends: libc6 (>= 2.34), dash | bash
            Section: non-free/x.y
            Homepage: https://www.gnu.org/software/hello/
            Tag: role::program,
             uitoolkit::ncurses, role::program
            Description: example package
             Two lines:
             .
              indented
            """
        let document = try #require(try records(text, .deb822).first?.document)
        #expect(document.uniqueIdentifier == "deb:hello")
        #expect(document.domainIdentifier == "debian.non-free-x-y")
        #expect(
            document.attributes == [
                "title": .string("hello"), "contentType": .string("public.data"),
                "contentDescription": .string("example package\nTwo lines:\n\n indented"),
                "version": .string("2.10-3"), "genre": .string("non-free/x.y"),
                "keywords": .strings(["non-free/x.y", "role::program", "uitoolkit::ncurses"]),
                "authors": .persons([
                    Person(
                        displayName: "Santiago Vila", handles: ["sanvila@debian.org"],
                        handleIdentifier: "emailAddresses")
                ]),
                "URL": .string("https://www.gnu.org/software/hello/"),
                "fileSize": .number(53), "com_debian_installed_size": .number(280),
                "com_debian_architecture": .string("amd64"),
                "com_debian_priority": .string("optional"),
                "com_debian_depends": .strings(["libc6 (>= 2.34)", "dash | bash"]),
            ])
    }

    @Test("A name that comes again gets architecture and version into its identifier")
    func repeated() throws {
        let text = "Package: a\n\nPackage: a\nVersion: 2\nArchitecture: i386\n"
        let read = try records(text, .deb822)
        #expect(read.map { $0.document?.uniqueIdentifier } == ["deb:a", "deb:a:i386:2"])
        #expect(read.map(\.line) == [1, 3])
    }

    @Test(
        "A paragraph that cannot be used is refused, and the next is read",
        arguments: [
            ("Version: 1", 3, "names no Package"), ("Package: a\nnonsense", 4, "Field: value"),
            (" continued\nPackage: a", 3, "none has begun"),
            ("Package: a\nPackage: b", 4, "stands twice"),
            ("Package: a\nSize: big", 4, "no number"),
        ])
    func refusals(paragraph: String, line: Int, reason: String) throws {
        let read = try records("Package: x\n\n\(paragraph)\n\n\nPackage: y", .deb822)
        #expect(read.count == 3, "\(read)")
        let refusal = try #require(read[1].refusal, "\(read[1])")
        #expect(refusal.line == line && refusal.reason.contains(reason), "\(refusal)")
        #expect(read[2].document?.uniqueIdentifier == "deb:y")
    }
}
