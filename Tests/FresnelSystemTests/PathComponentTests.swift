import FresnelSystem
import Testing

@Suite("Names inside directories")
struct PathComponentTests {
    @Test(
        "A name from elsewhere is one name below its directory, whatever it is",
        arguments: [
            ("shop", "shop"), ("a.b_c-D9", "a.b_c-D9"), ("..", "%2E."), (".", "%2E"),
            ("../../etc", "%2E.%2F..%2Fetc"), ("/etc", "%2Fetc"), ("", "%"), ("a\0b", "a%00b"),
            ("é", "%C3%A9"), ("100%", "100%25"),
        ])
    func component(name: String, written: String) {
        #expect(PathComponent(escaping: name).text == written)
        let path = FilePath.join("/data/indexes", PathComponent(escaping: name))
        #expect(FilePath.directory(of: path) == "/data/indexes")
    }
}
