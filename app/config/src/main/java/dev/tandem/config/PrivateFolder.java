package dev.tandem.config;

import dev.tandem.fastcgi.FastCgiOptions;
import dev.tandem.files.FolderOptions;
import dev.tandem.files.Links;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// A folder of programs, scripts or secrets, whose text clients must not get.
///
/// @param names such as those of its files, or of all that matter
/// @param areScripts whether an application runs them where it runs files of such names
record PrivateFolder(Path folder, List<String> names, boolean areScripts) {

    /// Takes a copy of the list.
    PrivateFolder {
        names = List.copyOf(names);
    }

    /// What serves a private file as it is.
    ///
    /// @param root the folder
    /// @param hasPatterns whether its configuration can hide files
    record Served(Path root, boolean hasPatterns) {
        /// Returns the way out, as the end of a message.
        ///
        /// @param what `it` or `them`
        String wayOut(String what) {
            String byDot = "a folder whose name begins with a dot";
            return "put "
                    + what
                    + " outside of "
                    + root
                    + (hasPatterns
                            ? ", or hide " + what + " there: by hidden, or in " + byDot
                            : ", or in " + byDot);
        }
    }

    /// Returns the folder that a location runs programs or scripts of; empty if it runs none.
    static Optional<PrivateFolder> of(SiteSettings.Location location) {
        Service service = location.service().orElse(null);
        if (service instanceof Service.CgiPrograms(Path root, var _)) {
            return Optional.of(new PrivateFolder(root, List.of("program"), true));
        }
        if (service instanceof Service.FastCgiScripts(Path root, var _, FastCgiOptions options)) {
            var names = new ArrayList<String>();
            for (String suffix : options.suffixes()) {
                names.add("script" + suffix);
            }
            return Optional.of(new PrivateFolder(root, names, true));
        }
        return Optional.empty();
    }

    /// Returns what a site serves the files by as they are; empty if it does not.
    Optional<Served> servedBy(SiteSettings site, RealPaths real) {
        for (SiteSettings.Location files : site.allLocations()) {
            Service service = files.service().orElse(null);
            if (service instanceof Service.StaticFiles(Path root, FolderOptions options)
                    && isServedBy(files.path(), root, options, site, real)) {
                return Optional.of(new Served(root, true));
            }
            if (service instanceof Service.FastCgiScripts(Path root, var _, FastCgiOptions own)
                    && without(own.suffixes())
                            .isServedBy(files.path(), root, FolderOptions.DEFAULT, site, real)) {
                return Optional.of(new Served(root, false));
            }
        }
        return Optional.empty();
    }

    /// Returns the same without scripts that an application runs: all else it has served as files,
    /// or prints, as it does with a secret whose name is a script's.
    private PrivateFolder without(List<String> suffixes) {
        return areScripts
                ? new PrivateFolder(
                        folder,
                        names.stream().filter(name -> !isScript(name, suffixes)).toList(),
                        true)
                : this;
    }

    /// In any case, as the handler does.
    private static boolean isScript(String name, List<String> suffixes) {
        String lower = name.toLowerCase(Locale.ROOT);
        return suffixes.stream().anyMatch(each -> lower.endsWith(each.toLowerCase(Locale.ROOT)));
    }

    private boolean isServedBy(
            String at, Path root, FolderOptions options, SiteSettings site, RealPaths real) {
        Path realRoot = real.of(root);
        for (String name : names) {
            Path target = real.of(folder.resolve(name));
            if (isVisible(at, realRoot, target, options, site)
                    || isFollowed(options.links(), target, realRoot)
                            && isLinkVisible(at, realRoot, name, options, site, real)) {
                return true;
            }
        }
        return false;
    }

    /// Whether the file can be seen by a name that leads to it through links: only the names that a
    /// client requests are hidden ones or not, whatever they lead to.
    private boolean isLinkVisible(
            String at,
            Path realRoot,
            String name,
            FolderOptions options,
            SiteSettings site,
            RealPaths real) {
        Path named = folder.resolve(name).toAbsolutePath().normalize();
        for (Path above = named.getParent(); above != null; above = above.getParent()) {
            if (real.of(above).equals(realRoot)) {
                Path file = realRoot.resolve(above.relativize(named));
                if (isVisible(at, realRoot, file, options, site)) {
                    return true;
                }
            }
        }
        return isVisible(at, realRoot, real.of(folder).resolve(name), options, site);
    }

    private static boolean isFollowed(Links links, Path target, Path root) {
        return switch (links) {
            case FOLLOW, OWNER -> true;
            case WITHIN -> target.startsWith(root);
            case NONE -> false;
        };
    }

    private static boolean isVisible(
            String at, Path root, Path file, FolderOptions options, SiteSettings site) {
        if (!file.startsWith(root)) {
            return false;
        }
        String below = root.relativize(file).toString().replace(File.separatorChar, '/');
        String url = at.equals("/") ? at + below : at + "/" + below;
        return options.isVisible(below) && location(site, url).equals(at);
    }

    /// Returns the path of the location that serves a URL: the longest.
    private static String location(SiteSettings site, String url) {
        String longest = "";
        for (SiteSettings.Location each : site.allLocations()) {
            String path = each.path();
            boolean isOf = path.equals("/") || url.equals(path) || url.startsWith(path + "/");
            longest = isOf && path.length() > longest.length() ? path : longest;
        }
        return longest;
    }
}
