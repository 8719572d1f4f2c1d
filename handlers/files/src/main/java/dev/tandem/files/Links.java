package dev.tandem.files;

/// Which symbolic links in a path are followed. Others are 404.
public enum Links {
    /// All links, wherever they lead. A user with write access to the folder can then publish any
    /// file that the server's user may read.
    FOLLOW,
    /// Links that lead to files in the folder.
    WITHIN,
    /// Links whose owner also owns the target; they may lead out of the folder.
    OWNER,
    /// No links.
    NONE
}
