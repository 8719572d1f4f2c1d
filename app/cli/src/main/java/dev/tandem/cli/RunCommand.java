package dev.tandem.cli;

import dev.tandem.cli.command.Arguments;
import dev.tandem.cli.command.Command;
import dev.tandem.cli.command.Failure;
import dev.tandem.cli.command.Option;
import dev.tandem.cli.command.Terminal;
import dev.tandem.cli.serving.CatalinaLog;
import dev.tandem.cli.serving.Greeting;
import dev.tandem.cli.serving.Listen;
import dev.tandem.cli.serving.ManageOptions;
import dev.tandem.cli.serving.Stay;
import dev.tandem.cli.serving.TlsOptions;
import dev.tandem.tomcat.Applications;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `tandem run`: web applications under Catalina. What they need is on the class path only of the
/// commands that need it: see the launcher.
///
/// @param stay what happens once the server runs
record RunCommand(Terminal terminal, Stay stay) {
    private static final Option APP =
            new Option("--app", "/PATH=APP...", "", "another one; may be given several times");

    /// How often it is looked whether an application has changed: 1 s.
    private static final long LOOK_MILLIS = 1000;

    /// How long a change that is under way may take when the server has stopped: 5 s.
    private static final long END_MILLIS = 5000;

    Command command() {
        return new Command(
                "run",
                "[APP]",
                "runs servlet applications",
                List.of(
                        "APP is a WAR file or its folder, at / or at /PATH. One that changes is",
                        "begun anew; requests and sessions of the old one go on."),
                Option.concat(List.of(Listen.OPTION, APP), TlsOptions.all(), ManageOptions.all()),
                this::run);
    }

    private void run(Arguments arguments) {
        Map<String, Path> places = places(arguments);
        Listen listen = Listen.of(arguments, Listen.OPTION);
        CatalinaLog.quieten();
        try (var site = new Applications(listen.host(), listen.port())) {
            prepare(site, arguments);
            for (Map.Entry<String, Path> each : places.entrySet()) {
                site.add(each.getKey(), each.getValue());
            }
            site.start();
            greet(site, arguments, places);
            stay(site);
        } catch (IOException e) {
            throw failure(e);
        } catch (IllegalArgumentException e) {
            throw arguments.wrong(String.valueOf(e.getMessage()));
        } catch (NoClassDefFoundError e) {
            throw Failure.failed("Catalina is not on the class path (" + e.getMessage() + ")");
        }
    }

    /// What is wrong with the options is found below Catalina, when the server is bound.
    private static Failure failure(IOException of) {
        for (Throwable cause = of; cause != null; cause = cause.getCause()) {
            if (cause instanceof Failure known) {
                return known;
            }
        }
        return Failure.failed(String.valueOf(of.getMessage()));
    }

    private void prepare(Applications site, Arguments arguments) {
        var tls = new TlsOptions(terminal);
        site.prepare(
                tandem -> {
                    ManageOptions.addTo(tandem, arguments);
                    tls.addTo(tandem, arguments);
                });
        if (TlsOptions.areIn(arguments)) {
            site.connector().setRedirectPort(TlsOptions.listen(arguments).port());
        }
    }

    private void greet(Applications site, Arguments arguments, Map<String, Path> places) {
        var names = new ArrayList<String>();
        places.forEach((path, place) -> names.add(place + (path.isEmpty() ? "" : " at " + path)));
        Listen listen = Listen.of(arguments, Listen.OPTION);
        new Greeting(listen, "runs " + String.join(", ", names)).print(terminal, site.server());
        if (TlsOptions.areIn(arguments)) {
            Greeting.printTls(terminal, TlsOptions.listen(arguments), site.server());
        }
    }

    private void stay(Applications site) {
        Thread watch = Thread.ofPlatform().daemon().name("tandem-redeploy").unstarted(watch(site));
        watch.start();
        stay.stay(site.server());
        watch.interrupt();
        try {
            watch.join(END_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Runnable watch(Applications site) {
        return () -> {
            try {
                while (!Thread.interrupted()) {
                    Thread.sleep(LOOK_MILLIS);
                    site.redeployChanged(line -> terminal.err().println("tandem: " + line));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
    }

    /// By their paths.
    private static Map<String, Path> places(Arguments arguments) {
        var places = new LinkedHashMap<String, Path>();
        if (!arguments.operand().isEmpty()) {
            places.put("", path(arguments, arguments.operand()));
        }
        for (String app : arguments.values(APP)) {
            int equals = app.indexOf('=');
            if (!app.startsWith("/") || equals < 0) {
                throw arguments.wrong("--app must be /PATH=APP, was '" + app + "'");
            }
            String path = equals == 1 ? "" : app.substring(0, equals);
            if (places.put(path, path(arguments, app.substring(equals + 1))) != null) {
                throw arguments.wrong("two applications at /" + path.replaceFirst("^/", ""));
            }
        }
        if (places.isEmpty()) {
            throw arguments.wrong("APP is missing");
        }
        return places;
    }

    private static Path path(Arguments arguments, String name) {
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw arguments.wrong("'" + name.replace('\0', '?') + "' is no path");
        }
    }
}
