// Whoever imports the client also sees the nouns it takes and gives.

@_exported public import FresnelModel
