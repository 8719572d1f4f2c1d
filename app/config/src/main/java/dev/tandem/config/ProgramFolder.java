package dev.tandem.config;

import dev.tandem.fastcgi.FastCgiOptions;
import dev.tandem.files.FolderOptions;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A folder of programs or scripts, whose text clients must not get.
///
/// @param names such as those of the programs
record ProgramFolder(Path folder, List<String> names) {

    /// Returns the folder that a location runs programs or scripts of; empty if it runs none.
    static Optional<ProgramFolder> of(SiteSettings.Location location) {
        Service service = location.service().orElse(null);
        if (service instanceof Service.CgiPrograms(Path root, var _)) {
            return Optional.of(new ProgramFolder(root, List.of("program")));
        }
        if (service instanceof Service.FastCgiScripts(Path root, var _, FastCgiOptions options)) {
            var names = new ArrayList<String>();
            for (String suffix : options.suffixes()) {
                names.add("script" + suffix);
            }
            return Optional.of(new ProgramFolder(root, names));
        }
        return Optional.empty();
    }

    /// Returns the folder of files by which a site serves the programs as they are; empty if it
    /// does not.
    Optional<Path> servedBy(SiteSettings site) {
        for (SiteSettings.Location files : site.allLocations()) {
            Service service = files.service().orElse(null);
            if (service instanceof Service.StaticFiles(Path root, FolderOptions options)
                    && isServedBy(files.path(), root, options, site)) {
                return Optional.of(root);
            }
            if (service instanceof Service.FastCgiScripts(Path root, var _, FastCgiOptions own)
                    && without(own.suffixes())
                            .isServedBy(files.path(), root, FolderOptions.DEFAULT, site)) {
                return Optional.of(root);
            }
        }
        return Optional.empty();
    }

    /// Returns the same without names that an application runs: all others it has served as files.
    private ProgramFolder without(List<String> suffixes) {
        return new ProgramFolder(
                folder,
                names.stream()
                        .filter(name -> suffixes.stream().noneMatch(name::endsWith))
                        .toList());
    }

    private boolean isServedBy(String at, Path root, FolderOptions options, SiteSettings site) {
        Path realRoot = real(root);
        Path realFolder = real(folder);
        if (!realFolder.startsWith(realRoot)) {
            return false;
        }
        String rest = realRoot.relativize(realFolder).toString().replace(File.separatorChar, '/');
        String below = rest.isEmpty() ? "" : rest + "/";
        return isAnyVisible(below, options) && location(site, url(at, rest)).equals(at);
    }

    private boolean isAnyVisible(String below, FolderOptions options) {
        for (String name : names) {
            if (options.isVisible(below + name)) {
                return true;
            }
        }
        return false;
    }

    private static String url(String at, String rest) {
        if (rest.isEmpty()) {
            return at;
        }
        return at.equals("/") ? at + rest : at + "/" + rest;
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

    /// Follows links, if the path exists.
    private static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            return path.toAbsolutePath().normalize();
        }
    }
}
