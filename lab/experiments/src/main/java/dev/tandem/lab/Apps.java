package dev.tandem.lab;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The web applications that come with Tandem: each lies unpacked in `.tandem/apps`, where the
/// launcher puts it.
final class Apps {
    private static final Path HOME = Path.of(System.getProperty("tandem.home", "."), ".tandem");

    private Apps() {}

    /// @param name such as `auction`; the property `tandem.NAME` says where else it lies
    /// @throws LabException if it is not there
    static Path folder(String name) throws LabException {
        Path usual = HOME.resolve("apps").resolve(name);
        Path folder = Path.of(System.getProperty("tandem." + name, usual.toString()));
        if (!Files.isDirectory(folder.resolve("WEB-INF"))) {
            throw new LabException("needs " + folder + ": start by ./tandem, which builds it");
        }
        return folder.toAbsolutePath();
    }

    /// Returns the class path of an application.
    static String classPath(Path app) {
        Path inside = app.resolve("WEB-INF");
        return inside.resolve("classes") + File.pathSeparator + inside.resolve("lib") + "/*";
    }

    /// Returns a command of ours with Catalina on its class path; only the commands that need
    /// Catalina have it.
    static List<String> withCatalina(List<String> command) {
        Path servlets = HOME.resolve("lib").resolve("servlets").toAbsolutePath();
        int at = command.indexOf("-cp");
        if (at < 0 || !Files.isDirectory(servlets)) {
            return command;
        }
        var more = new ArrayList<>(command);
        more.set(at + 1, command.get(at + 1) + File.pathSeparator + servlets + "/*");
        return more;
    }
}
