import FresnelQuery
import Testing

@Suite("HTML text")
struct HTMLTextTests {
    @Test(
        "The text of a page is what a reader sees",
        arguments: [
            ("plain", "plain"),
            ("<p>Fuji <b>Ap</b>ple</p>", "Fuji Apple"),
            ("<p>one</p><p>two</p>", "one\ntwo"),
            ("one<br>two<br/>three", "one\ntwo\nthree"),
            ("<td>1</td><td>2</td>", "1\n2"),
            ("  much \n\t space  ", "much space"),
            ("a<!-- <b>hidden</b> -->b", "ab"),
            ("<!DOCTYPE html><html>x", "x"),
            ("a<script>if (a < b) { \"</p>\" }</SCRIPT >b", "a\nb"),
            ("<style>p { color: red }</style>x", "x"),
            ("<a title=\"1 > 0\" href='>'>link</a>", "link"),
            ("AT&amp;T &lt;b&gt; &eacute;&#233;&#xE9; &euro;&nbsp;5", "AT&T <b> ééé € 5"),
            ("AT&T &unknown; &#xFFFFFFFF; &; & &#;", "AT&T &unknown; &#xFFFFFFFF; &; & &#;"),
            ("&#0;&#xD800;", "\u{FFFD}\u{FFFD}"),
            ("1 < 2 <3", "1 < 2 <3"),
            ("unclosed <b", "unclosed"), ("unclosed <!-- x", "unclosed"),
            ("unclosed <script> x", "unclosed"),
            ("", ""), ("<", "<"), ("&", "&"), ("</", "</"), ("日本<b>語</b>", "日本語"),
        ])
    func text(page: String, text: String) {
        #expect(HTMLText.text(of: page) == text)
    }

    @Test("No bytes crash the extractor", arguments: 1...10 as ClosedRange<UInt64>)
    func randomBytes(seed: UInt64) {
        var chance = SeededChance(seed: seed)
        let parts = ["<", ">", "/", "!", "-", "&", ";", "#", "x", "script", "\"", "é", " ", "p"]
        for _ in 0..<500 {
            let page = (0..<20).map { _ in chance.choose(parts) }.joined()
            #expect(HTMLText.text(of: page).utf8.count <= page.utf8.count, "seed \(seed)")
        }
    }
}
