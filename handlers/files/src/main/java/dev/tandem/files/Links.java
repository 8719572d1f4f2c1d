package dev.tandem.files;

/// Which symbolic links in a path are followed. What is not followed is 404.
public enum Links {
    /// All, wherever they lead. Who may write to the folder can then have any file served that
    /// the server's user may read.
    FOLLOW,
    /// Those that lead to what is in the folder.
    WITHIN,
    /// Those whose owner owns what they lead to as well; they may lead out of the folder.
    OWNER,
    /// None.
    NONE
}
