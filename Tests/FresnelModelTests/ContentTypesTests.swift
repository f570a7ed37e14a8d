import FresnelModel
import Testing

struct ContentTypesTests {
    @Test(
        "A type's tree holds what it conforms to and nothing else",
        arguments: [
            ("public.jpeg", ["image", "data", "content", "item"]),
            (
                "public.swift-source",
                ["source-code", "plain-text", "text", "data", "content", "item"]
            ),
            ("public.folder", ["directory", "item"]),
            ("com.adobe.pdf", ["data", "composite-content", "item", "content"]),
            ("public.mp3", ["audio", "audiovisual-content", "data", "content", "item"]),
            ("public.item", []), ("public.calendar-event", []),
        ])
    func trees(type: String, ancestors: [String]) {
        let tree = ContentTypes.tree(of: type)
        #expect(tree.first == type)
        #expect(Set(tree.dropFirst()) == Set(ancestors.map { "public.\($0)" }))
    }

    @Test("A type nobody knows stands alone, unless the owner says what it conforms to")
    func unknown() {
        #expect(ContentTypes.tree(of: "com.ray.product") == ["com.ray.product"])
        let tree = ContentTypes.tree(of: "com.ray.photo", extra: ["com.ray.photo": ["public.png"]])
        #expect(tree.prefix(3) == ["com.ray.photo", "public.png", "public.image"])
    }

    @Test("A circle among the owner's types ends")
    func circle() {
        let tree = ContentTypes.tree(of: "a", extra: ["a": ["b"], "b": ["a"]])
        #expect(tree == ["a", "b"])
    }

    @Test("What the owner sends is kept behind the expansion, each type once")
    func expansion() {
        let tree = ContentTypes.expanded(
            contentType: "public.png", tree: ["com.ray.icon", "public.image"])
        #expect(tree.first == "public.png")
        #expect(tree.last == "com.ray.icon")
        #expect(tree.count { $0 == "public.image" } == 1)
        #expect(ContentTypes.expanded(contentType: nil, tree: ["x"]) == ["x"])
    }
}
