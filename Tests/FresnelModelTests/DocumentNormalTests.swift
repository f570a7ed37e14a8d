import FresnelModel
import Testing

struct DocumentNormalTests {
    private let document = Document(
        uniqueIdentifier: "1",
        attributes: [
            "kMDItemTitle": .string("Apple"), "subject": .string(""), "keywords": .string("fruit"),
            "editors": .strings(["", ""]), "performers": .strings(["", "Ann"]),
            "authors": .persons([Person(displayName: ""), Person(handles: ["a@b", ""])]),
            "contentType": .string("public.png"), "contentTypeTree": .strings(["com.ray.icon"]),
            "domainIdentifier": .string("store.produce"), "altitude": .number(-0.0),
            "thumbnailData": .bytes([]), "url": .string("https://a.example"),
        ])

    @Test("Empty values are absent, names canonical, single values lists where lists belong")
    func normal() {
        let attributes = document.normalised().attributes
        #expect(attributes["title"] == .string("Apple"))
        #expect(attributes["URL"] == .string("https://a.example"))
        #expect(attributes["keywords"] == .strings(["fruit"]))
        #expect(attributes["performers"] == .strings(["Ann"]))
        #expect(attributes["authors"] == .persons([Person(handles: ["a@b"])]))
        for name in ["kMDItemTitle", "url", "subject", "editors", "thumbnailData"] {
            #expect(attributes[name] == nil, "\(name)")
        }
        guard case .number(let altitude)? = attributes["altitude"] else {
            Issue.record("the altitude is lost")
            return
        }
        #expect(altitude.sign == .plus)
    }

    @Test("The content type fills the tree, and the owner's types stay")
    func tree() {
        guard case .strings(let tree)? = document.normalised().attributes["contentTypeTree"] else {
            Issue.record("there is no tree")
            return
        }
        #expect(tree.first == "public.png" && tree.last == "com.ray.icon")
        #expect(tree.contains("public.image"))
    }

    @Test("A domain among the attributes is the document's, unless it has one")
    func domain() {
        #expect(document.normalised().domainIdentifier == "store.produce")
        var owned = document
        owned.domainIdentifier = "own"
        #expect(owned.normalised().domainIdentifier == "own")
    }

    @Test("Normalising twice changes nothing more")
    func idempotent() {
        let once = document.normalised()
        #expect(once.normalised() == once)
    }

    @Test("A related document routes, otherwise the identifier does")
    func routing() {
        #expect(document.routingKey == "1")
        var activity = document
        activity.attributes["relatedUniqueIdentifier"] = .string("7")
        #expect(activity.relatedUniqueIdentifier == "7")
        #expect(activity.routingKey == "7")
    }

    @Test("A patch leaves what it does not name, removes what is null, sets what has a value")
    func applying() {
        let patch = DocumentPatch(
            uniqueIdentifier: "1", domainIdentifier: .remove,
            attributes: [
                "title": .set(.string("Pear")), "keywords": .set(.strings([])),
                "performers": .remove,
            ]
        ).normalised()
        let patched = document.normalised().applying(patch)
        #expect(patched.attributes["title"] == .string("Pear"))
        #expect(patched.attributes["keywords"] == nil)
        #expect(patched.attributes["performers"] == nil)
        #expect(patched.attributes["URL"] == .string("https://a.example"))
        #expect(patched.domainIdentifier == nil)
    }

    @Test("Changing the content type changes the tree but keeps the owner's types")
    func applyingContentType() {
        let patch = DocumentPatch(
            uniqueIdentifier: "1", attributes: ["contentType": .set(.string("public.mp3"))])
        let patched = document.normalised().applying(patch.normalised())
        guard case .strings(let tree)? = patched.attributes["contentTypeTree"] else {
            Issue.record("there is no tree")
            return
        }
        #expect(tree.contains("public.audio") && tree.contains("com.ray.icon"))
        #expect(!tree.contains("public.image") && !tree.contains("public.png"))
    }

    @Test("A patch without changes changes nothing")
    func applyingNothing() {
        let stored = document.normalised()
        #expect(stored.applying(DocumentPatch(uniqueIdentifier: "1")) == stored)
    }

    @Test(
        "A domain contains itself and what lies below it, part by part",
        arguments: [
            ("store", "store", true), ("store", "store.produce", true),
            ("store", "storefront", false), ("store.produce", "store", false),
            ("a.b", "a.b.c", true), ("a.b", "a.c", false), ("Store", "store.x", false),
        ])
    func containment(domain: String, candidate: String, isContained: Bool) {
        #expect(Domain.contains(domain: domain, candidate: candidate) == isContained)
        #expect(Domain.ancestors(of: candidate).contains(domain) == isContained)
    }

    @Test("A document without a date lives for ever, or as long as its index says")
    func expiration() throws {
        let indexed = Timestamp(wholeSeconds: 1000)
        let month = Timestamp(wholeSeconds: 1000 + 30 * 86_400)
        #expect(document.effectiveExpiration(indexedAt: indexed) == nil)
        let rule = ExpirationPolicy.after(.seconds(30 * 86_400))
        #expect(document.effectiveExpiration(indexedAt: indexed, default: rule) == month)
        #expect(document.effectiveExpiration(indexedAt: indexed, default: .never) == nil)
        var dated = document
        dated.expirationDate = indexed
        #expect(dated.effectiveExpiration(indexedAt: indexed, default: .never) == indexed)
        for policy in [rule, .never, .after(.milliseconds(1500))] {
            #expect(ExpirationPolicy(seconds: policy.seconds) == policy)
        }
        #expect(ExpirationPolicy(seconds: -1) == nil)
    }
}
