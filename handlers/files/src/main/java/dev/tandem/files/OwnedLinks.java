package dev.tandem.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/// Checks links whose owner must also own the target ([Links#OWNER]). A user who may create links
/// in the folder can publish only their own files.
final class OwnedLinks {
    private OwnedLinks() {}

    /// Returns whether every link below the root has the same owner as its final target. Blocks.
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
