package dev.tandem.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;

/// A CGI program that says hello, for the servers to run.
final class CgiProgram {
    /// Its request target.
    static final String TARGET = "/cgi-bin/hello";

    private static final int HELP_SECONDS_MAX = 20;

    private static final String PERL =
            """
            #!%s
            print "Content-Type: text/plain\\r\\n\\r\\nHello, World!";
            """;

    private static final String SHELL =
            """
            #!%s
            printf 'Content-Type: text/plain\\r\\n\\r\\nHello, World!'
            """;

    private CgiProgram() {}

    /// Returns whether this Tandem's target runs CGI programs.
    static boolean canBeRun(Environment environment) throws LabException, InterruptedException {
        var command = new ArrayList<String>(environment.target().words());
        command.add("lab");
        command.add("target");
        command.add("--help");
        return Toolbox.output(HELP_SECONDS_MAX, command).contains("--cgi");
    }

    /// Writes the program into `cgi-bin`.
    ///
    /// @param root the folder whose files are at `/`
    /// @param language `perl` or `sh`
    /// @throws LabException if the language is not here
    static void write(Path root, String language, Toolbox tools) throws LabException {
        Path program = tools.need(language, "choose another by --script, or install it");
        Path file = root.resolve(TARGET.substring(1));
        try {
            Files.createDirectories(file.getParent());
            String text = language.equals("perl") ? PERL : SHELL;
            Files.writeString(file, text.formatted(program));
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        } catch (IOException e) {
            throw new LabException("cannot write " + file + ": " + e.getMessage());
        }
    }
}
