import FresnelModel

extension Workload {
    /// What is asked when no file says otherwise: what people type into a box for search, with
    /// some of what programs ask.
    package static let standard: Workload = {
        func query(_ name: String, _ weight: Double, _ text: String) -> LoadClass {
            do throws(TemplateError) {
                return LoadClass(
                    name: name, weight: weight, action: .query(try QueryTemplate(parsing: text)))
            } catch {
                preconditionFailure("the standard workload: \(error)")
            }
        }
        var count = query("count", 5, "** == \"{medium}\"cdw")
        count.request.isCountOnly = true
        return Workload(
            name: "standard",
            classes: [
                query("word", 25, "** == \"{medium}\"cdw"),
                query("rare word", 15, "** == \"{rare}\"cdw"),
                query("frequent word", 10, "** == \"{frequent}\"cdw"),
                query("two words", 15, "** == \"{medium}\"cdw && ** == \"{frequent}\"cdw"),
                query("either word", 5, "** == \"{medium}\"cdw || ** == \"{rare}\"cdw"),
                query("prefix", 10, "** == \"{prefix}*\"cdw"),
                query("part of a word", 5, "** == \"*{infix}*\"cd"),
                query("phrase", 10, "** == \"{phrase}\"cdw"),
                count,
            ])
    }()
}
