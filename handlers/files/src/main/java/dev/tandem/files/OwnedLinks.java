package dev.tandem.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/// Follows links whose owner owns what they lead to as well ([Links#OWNER]). Whoever may make
/// links in the folder can so offer what is theirs, and nothing else that the server may read.
final class OwnedLinks {
    private OwnedLinks() {}

    /// Whether every link below the root has the owner of what it leads to in the end. Blocks.
    static boolean haveOwnerOfTarget(Path realRoot, Path path) throws IOException {
        if (!path.startsWith(realRoot)) {
            return false;
        }
        Path at = realRoot;
        for (Path name : realRoot.relativize(path)) {
            at = at.resolve(name);
            if (Files.isSymbolicLink(at)) {
                Path target = at.toRealPath();
                if (!hasSameOwner(at, target)) {
                    return false;
                }
                at = target;
            }
        }
        return true;
    }

    private static boolean hasSameOwner(Path link, Path target) throws IOException {
        try {
            return Files.getOwner(link, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(target));
        } catch (UnsupportedOperationException _) {
            return false; // a file system without owners
        }
    }
}
