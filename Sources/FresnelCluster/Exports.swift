// Who decides for a cluster speaks with its peers.

@_exported public import FresnelSession
