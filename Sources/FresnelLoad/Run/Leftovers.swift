package import FresnelModel

/// Documents of a load that it could perhaps not remove.
package struct Leftovers: Sendable, CustomStringConvertible {
    /// Why not.
    package let error: SearchError
    /// The indexes that it wrote into, in the order of their names; at least one.
    package let indexes: [IndexName]

    /// What is left and the commands that remove it.
    package var description: String {
        let commands = indexes.map { index in
            "fresnel delete --domain \(LoadWriter.domain)"
                + (index == .standard ? "" : " --index \(index.text)")
        }
        return "what the load wrote is perhaps not removed (\(error)): "
            + commands.joined(separator: "; ")
    }
}
