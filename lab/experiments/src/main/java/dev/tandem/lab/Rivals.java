package dev.tandem.lab;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/// The servers that experiments can compare.
public final class Rivals {
    private Rivals() {}

    /// All, installed or not, in the order in which they are listed.
    static List<Rival> all() {
        return all(BuiltRivals.ofProcess());
    }

    static List<Rival> all(BuiltRivals built) {
        return List.of(
                OwnRival.TANDEM,
                OwnRival.MULTI_THREADED,
                OwnRival.EVENT_DRIVEN,
                new Httpd("worker"),
                new Httpd("event"),
                new NginxRival(),
                new LighttpdRival(),
                JavaRival.tomcat(false, built),
                JavaRival.tomcat(true, built),
                JavaRival.tomcatBlocking(built),
                JavaRival.jetty(false, built),
                JavaRival.jetty(true, built),
                JavaRival.undertow(built),
                JavaRival.helidon(built));
    }

    static List<String> names() {
        return all().stream().map(Rival::name).toList();
    }

    /// @throws LabException if there is none of that name; the message lists the names
    static Rival named(String name) throws LabException {
        for (Rival rival : all()) {
            if (rival.name().equals(name)) {
                return rival;
            }
        }
        throw new LabException(
                "unknown rival '" + name + "'; there are " + String.join(", ", names()));
    }

    /// Returns those of the names that are installed; the reason why another is missing is added to
    /// `missing`, a line each.
    ///
    /// @throws LabException if a name is unknown
    static List<Rival> here(List<String> names, Toolbox tools, List<String> missing)
            throws LabException, InterruptedException {
        var here = new ArrayList<Rival>();
        for (String name : names) {
            Rival rival = named(name);
            try {
                rival.version(tools);
                here.add(rival);
            } catch (LabException e) {
                missing.add(rival.name() + ": " + e.line());
            }
        }
        return here;
    }

    /// Prints a line for each: its version, or what it needs.
    ///
    /// @throws LabException if interrupted
    public static void list(PrintStream out) throws LabException {
        list(Toolbox.ofProcess(), all(), out);
    }

    static void list(Toolbox tools, List<Rival> rivals, PrintStream out) throws LabException {
        for (Rival rival : rivals) {
            out.printf("%-16s %s%n", rival.name(), said(rival, tools));
        }
    }

    private static String said(Rival rival, Toolbox tools) throws LabException {
        try {
            return rival.version(tools);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LabException("interrupted");
        } catch (LabException e) {
            return e.line();
        }
    }

    /// Downloads and builds those from Maven Central: takes a minute or so.
    ///
    /// @throws LabException if it cannot; the message says why
    public static void install(PrintStream out) throws LabException {
        try {
            BuiltRivals.ofProcess().install(Toolbox.ofProcess(), out);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LabException("interrupted");
        }
    }
}
