package dev.tandem.files;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A resource and its precompressed variants. Immutable.
final class ResourceVariants {
    private static final Coding[] CODINGS = Coding.values();

    private final Resource plain;

    /// By coding, null for those that are missing.
    private final @Nullable Resource[] compressed;

    private ResourceVariants(Resource plain, @Nullable Resource[] compressed) {
        this.plain = plain;
        this.compressed = compressed;
    }

    /// Reads a resource and its variants. Blocks.
    ///
    /// @param name of the resource
    /// @param heldMax the largest that is held in memory, in bytes
    /// @return null if there is none
    static @Nullable ResourceVariants read(
            ResourceLoader loader,
            String name,
            @Nullable String cacheControl,
            int heldMax,
            Resource.Memory memory)
            throws IOException {
        ResourceLoader.Source source = loader.find(name);
        if (source == null) {
            return null;
        }
        var compressed = new ResourceLoader.@Nullable Source[CODINGS.length];
        boolean hasVary = false;
        for (Coding coding : CODINGS) {
            ResourceLoader.Source found = loader.find(name + coding.suffix());
            if (found != null && !found.isOlderThan(source)) {
                compressed[coding.ordinal()] = found;
                hasVary = true;
            }
        }
        var as = new Resource.Representation(name, hasVary, cacheControl);
        @Nullable Resource[] variants = new @Nullable Resource[CODINGS.length];
        for (Coding coding : CODINGS) {
            ResourceLoader.Source found = compressed[coding.ordinal()];
            variants[coding.ordinal()] =
                    found == null ? null : Resource.read(found, as, coding, heldMax, memory);
        }
        return new ResourceVariants(Resource.read(source, as, null, heldMax, memory), variants);
    }

    /// Returns whether none of them can change.
    boolean isFixed() {
        return plain.isFixed();
    }

    /// Returns whether all of them are as they were read. Blocks, unless they are fixed.
    boolean isCurrent() {
        for (Resource resource : all()) {
            if (!resource.isFixed() && !resource.isCurrent()) {
                return false;
            }
        }
        return true;
    }

    /// Returns the variant to send: the one of the highest weight, or the uncompressed one.
    Resource choose(AcceptedCodings accepted) {
        Resource best = plain;
        int most = 0;
        for (Coding coding : CODINGS) {
            Resource variant = compressed[coding.ordinal()];
            int weight = accepted.weight(coding);
            if (variant != null && weight > most) {
                best = variant;
                most = weight;
            }
        }
        return best;
    }

    /// Returns how much memory they hold.
    long heldBytes() {
        long sum = 0;
        for (Resource resource : all()) {
            PreparedFile held = resource.held();
            sum += held == null ? 0 : held.bytes().limit() + FolderOptions.ENTRY_BYTES;
        }
        return sum;
    }

    private List<Resource> all() {
        var all = new ArrayList<Resource>();
        all.add(plain);
        for (Resource variant : compressed) {
            if (variant != null) {
                all.add(variant);
            }
        }
        return all;
    }
}
