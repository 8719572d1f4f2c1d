package dev.tandem.cli;

import dev.tandem.cli.command.Arguments;
import dev.tandem.cli.command.Command;
import dev.tandem.cli.command.Failure;
import dev.tandem.cli.command.Option;
import dev.tandem.cli.command.Terminal;
import dev.tandem.cli.serving.CatalinaLog;
import dev.tandem.cli.serving.Listen;
import dev.tandem.cli.serving.ManageOptions;
import dev.tandem.cli.serving.ServerLifecycle;
import dev.tandem.cli.serving.StartMessage;
import dev.tandem.cli.serving.TlsOptions;
import dev.tandem.tomcat.Applications;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `tandem run`: runs web applications under Catalina. The launcher adds its libraries to the class
/// path of only those commands that need them.
///
/// @param lifecycle of the server
record RunCommand(Terminal terminal, ServerLifecycle lifecycle) {
    private static final Option APP =
            new Option("--app", "/PATH=APP...", "", "another application; may be repeated");

    private static final Option WORKERS =
            new Option("--workers", "N", "", "fixed; by default their number is searched for");

    private static final int WORKERS_MAX = 65_536;

    /// Interval of checks for changed applications: 1 s.
    private static final long CHECK_MILLIS = 1000;

    /// Time limit for a redeployment in progress after the server has stopped: 5 s.
    private static final long REDEPLOY_END_MILLIS = 5000;

    Command command() {
        return new Command(
                "run",
                "[APP]",
                "runs servlet applications",
                List.of(
                        "APP is a WAR file or its folder, at / or at /PATH. When it changes, it is",
                        "redeployed; running requests and sessions are kept."),
                Option.concat(
                        List.of(
                                Listen.OPTION,
                                APP,
                                WORKERS,
                                PageCacheFlag.OPTION,
                                FleetMember.CONFIG),
                        TlsOptions.all(),
                        AcmeFlags.all(),
                        ManageOptions.all(),
                        FleetFlags.all(),
                        ConnectionFlags.all()),
                this::run);
    }

    private void run(Arguments arguments) {
        Map<String, Path> applications = applications(arguments);
        Listen listen = Listen.of(arguments, Listen.OPTION);
        CatalinaLog.quieten();
        Applications.disableMBeans();
        try (AcmeListener acme = AcmeListener.open(arguments);
                FleetMember fleet = FleetMember.open(arguments);
                ApplicationPages pages = ApplicationPages.open(arguments);
                var site = new Applications(listen.host(), listen.port())) {
            ApplicationSecrets.check(arguments, applications.values());
            pages.addTo(site);
            prepare(site, new Parts(fleet, acme), arguments);
            for (Map.Entry<String, Path> each : applications.entrySet()) {
                site.add(each.getKey(), each.getValue());
            }
            site.start();
            fleet.join(site.server());
            if (acme != null) {
                acme.start(site.server());
            }
            awaitStop(site, fleet, () -> printStart(site, arguments, applications));
        } catch (IOException e) {
            throw failure(e);
        } catch (IllegalArgumentException e) {
            throw arguments.usageError(String.valueOf(e.getMessage()));
        } catch (NoClassDefFoundError e) {
            throw Failure.failed("Catalina is not on the class path (" + e.getMessage() + ")");
        }
    }

    /// Invalid options are detected below Catalina, when the server is bound.
    private static Failure failure(IOException of) {
        for (Throwable cause = of; cause != null; cause = cause.getCause()) {
            if (cause instanceof Failure known) {
                return known;
            }
        }
        return Failure.failed(String.valueOf(of.getMessage()));
    }

    /// What is added to the server.
    private record Parts(FleetMember fleet, @Nullable AcmeListener acme) {}

    private void prepare(Applications site, Parts parts, Arguments arguments) {
        var tls = new TlsOptions(terminal);
        parts.fleet.addTo(site);
        site.customizeServer(
                tandem -> {
                    ManageOptions.addTo(tandem, arguments);
                    parts.fleet.addTo(tandem);
                    if (parts.acme == null) {
                        tls.addTo(tandem, arguments);
                    } else {
                        parts.acme.addTo(tandem);
                    }
                });
        if (arguments.has(WORKERS)) {
            site.setWorkers(workers(arguments));
        }
        if (TlsOptions.areIn(arguments)) {
            site.connector().setRedirectPort(TlsOptions.listen(arguments).port());
        }
    }

    private static int workers(Arguments arguments) {
        int count = arguments.number(WORKERS);
        if (count < 1 || count > WORKERS_MAX) {
            throw arguments.usageError("--workers must be 1.." + WORKERS_MAX + ", was " + count);
        }
        return count;
    }

    private void printStart(
            Applications site, Arguments arguments, Map<String, Path> applications) {
        var names = new ArrayList<String>();
        applications.forEach(
                (path, place) -> names.add(place + (path.isEmpty() ? "" : " at " + path)));
        Listen listen = Listen.of(arguments, Listen.OPTION);
        new StartMessage(listen, "runs " + String.join(", ", names)).print(terminal, site.server());
        if (TlsOptions.areIn(arguments)) {
            StartMessage.printTls(terminal, TlsOptions.listen(arguments), site.server());
        }
    }

    private void awaitStop(Applications site, FleetMember fleet, Runnable announce) {
        Thread watch =
                Thread.ofPlatform().daemon().name("tandem-redeploy").unstarted(redeployTask(site));
        watch.start();
        fleet.awaitStop(site.server(), lifecycle, announce);
        watch.interrupt();
        try {
            watch.join(REDEPLOY_END_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Runnable redeployTask(Applications site) {
        return () -> {
            try {
                while (!Thread.interrupted()) {
                    Thread.sleep(CHECK_MILLIS);
                    redeployChanged(site);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
    }

    /// Whatever is thrown, such as for lack of memory, does not end the checks.
    private void redeployChanged(Applications site) {
        try {
            site.redeployChanged(line -> terminal.err().println("tandem: " + line));
        } catch (RuntimeException | Error e) {
            try {
                terminal.err().println("tandem: the check for changed applications failed: " + e);
            } catch (OutOfMemoryError _) {
                // the next one reports
            }
        }
    }

    /// Returns the applications by their paths.
    private static Map<String, Path> applications(Arguments arguments) {
        var applications = new LinkedHashMap<String, Path>();
        if (!arguments.operand().isEmpty()) {
            applications.put("", path(arguments, arguments.operand()));
        }
        for (String app : arguments.values(APP)) {
            int equals = app.indexOf('=');
            if (!app.startsWith("/") || equals < 0) {
                throw arguments.usageError("--app must be /PATH=APP, was '" + app + "'");
            }
            String path = equals == 1 ? "" : app.substring(0, equals);
            if (applications.put(path, path(arguments, app.substring(equals + 1))) != null) {
                throw arguments.usageError("two applications at /" + path.replaceFirst("^/", ""));
            }
        }
        if (applications.isEmpty()) {
            throw arguments.usageError("APP is missing");
        }
        return applications;
    }

    private static Path path(Arguments arguments, String name) {
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw arguments.usageError("'" + name.replace('\0', '?') + "' is no path");
        }
    }
}
