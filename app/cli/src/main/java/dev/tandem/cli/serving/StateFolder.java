package dev.tandem.cli.serving;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The folder of what the program keeps between its runs and makes again if it is lost. Only its
/// user may read it.
///
/// @param environment of the process
/// @param home the user's home; may be missing, as a service's is
/// @param system the system's folder, for users without a home
record StateFolder(Map<String, String> environment, String home, Path system) {
    /// Set by systemd for a unit with `StateDirectory=`.
    private static final String OF_SERVICE = "STATE_DIRECTORY";

    /// By the XDG Base Directory Specification, where it must be absolute.
    private static final String OF_USER = "XDG_STATE_HOME";

    private static final FileAttribute<?> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    static StateFolder ofProcess() {
        return new StateFolder(
                System.getenv(), System.getProperty("user.home", ""), Path.of("/var/lib/tandem"));
    }

    /// Returns a folder in it, which is created if it does not exist. Where there is no place that
    /// stays, it is a temporary one.
    ///
    /// @throws IOException if the environment names a place that cannot be used
    Path child(String name) throws IOException {
        String service = environment.getOrDefault(OF_SERVICE, "").split(":", 2)[0];
        if (!service.isEmpty()) {
            return create(Path.of(service).resolve(name));
        }
        String user = environment.getOrDefault(OF_USER, "");
        if (user.startsWith("/")) {
            return create(Path.of(user, "tandem", name));
        }
        for (Path place : places()) {
            try {
                return create(place.resolve(name));
            } catch (IOException _) {
                // The next one.
            }
        }
        return Files.createTempDirectory("tandem-" + name);
    }

    private List<Path> places() {
        var places = new ArrayList<Path>();
        try {
            Path of = Path.of(home);
            if (of.isAbsolute() && Files.isDirectory(of) && Files.isWritable(of)) {
                places.add(of.resolve(".local/state/tandem"));
            }
        } catch (InvalidPathException _) {
            // A user without a home.
        }
        if (Files.isWritable(system)) {
            places.add(system);
        }
        return places;
    }

    private static Path create(Path folder) throws IOException {
        return Files.isDirectory(folder) ? folder : Files.createDirectories(folder, PRIVATE);
    }
}
