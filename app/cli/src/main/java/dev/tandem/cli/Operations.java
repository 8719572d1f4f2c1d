package dev.tandem.cli;

import dev.tandem.Server;
import dev.tandem.cli.command.Failure;
import dev.tandem.cli.serving.OperatedServer;
import dev.tandem.config.ConfigException;
import dev.tandem.config.ConfigFile;
import dev.tandem.config.Configuration;
import dev.tandem.config.ConfiguredServer;
import dev.tandem.config.InheritedSocket;
import dev.tandem.config.ProcessSettings;
import dev.tandem.config.ServerSecrets;
import dev.tandem.net.Listener;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// The operations on a running server: announcing its start, reloading, stopping, handing over.
/// Safe for use by any thread.
final class Operations implements OperatedServer {
    private final ConfiguredServer served;
    private final Optional<Path> file;
    private final Supervisor supervisor = Supervisor.ofProcess();
    private final Optional<Takeover> previous;

    /// As it was at the start: a reload changes neither the control socket nor the pid file.
    private final ProcessSettings process;

    private final Runnable exit;
    private final CountDownLatch retirementEnd = new CountDownLatch(1);
    private @Nullable Control control;
    private volatile boolean isRetired;
    private volatile boolean isStopping;

    /// @param file the configuration's, if there is one
    /// @param previous the process whose sockets this one has taken over, if there is one
    Operations(ConfiguredServer served, Optional<Path> file, Optional<Takeover> previous) {
        this(served, file, previous, () -> System.exit(0));
    }

    /// @param exit ends the process
    Operations(
            ConfiguredServer served,
            Optional<Path> file,
            Optional<Takeover> previous,
            Runnable exit) {
        this.exit = exit;
        this.served = served;
        this.file = file;
        this.previous = previous;
        this.process = served.configuration().process();
    }

    @Override
    public Server server() {
        return served.server();
    }

    ConfiguredServer served() {
        return served;
    }

    /// Returns whether a file or certificates can be reloaded.
    @Override
    public boolean canReload() {
        return file.isPresent() || !server().tlsEngine().isEmpty();
    }

    /// Announces that the server is serving, to the supervisor and to the process that had the
    /// sockets before.
    ///
    /// @throws Failure if the control socket or the pid file cannot be created
    void announceReady() {
        try {
            Optional<Path> socket = process.control();
            if (socket.isPresent()) {
                List<InheritedSocket> inherited =
                        previous.map(Takeover::inherited).orElse(List.of());
                Control open = Control.open(socket.get(), inherited, this);
                control = open;
                closeUnused(inherited, Control.listeners(server(), open.server()));
            }
            Optional<Path> pidFile = process.pidFile();
            if (pidFile.isPresent()) {
                Files.writeString(pidFile.get(), pid() + "\n");
            }
        } catch (IOException e) {
            throw Failure.failed("cannot create the control socket or the pid file: " + e);
        }
        if (served.isInFleet()) {
            server().onDrain(Operations::end);
        }
        warnOfServedFiles();
        supervisor.ready();
        previous.ifPresent(Takeover::retireOther);
    }

    /// Closes what the process before listened at and this one does not: clients would wait there.
    private static void closeUnused(List<InheritedSocket> inherited, List<Listener> used) {
        inherited.stream()
                .map(InheritedSocket::listener)
                .filter(listener -> !used.contains(listener))
                .forEach(Listener::close);
    }

    /// Ends the process in order, as SIGTERM does. An exit waits for all that happens before it.
    static void end() {
        Thread.ofPlatform().name("tandem-drain").daemon().start(() -> System.exit(0));
    }

    /// The folder of a quick start may have its configuration in it: that is no secret.
    private void warnOfServedFiles() {
        ServerSecrets.servedFiles(file.orElse(null), served.configuration())
                .forEach(warning -> log(Level.WARNING, warning));
    }

    private static String pid() {
        return Long.toString(ProcessHandle.current().pid());
    }

    // ---- Reloading.

    /// Reloads the configuration and certificates, and logs the result.
    ///
    /// @return the result, as a phrase
    /// @throws Failure if they cannot be used: then nothing has changed
    String reload() {
        try {
            String result = apply();
            log(Level.INFO, result);
            return result;
        } catch (Failure e) {
            log(Level.WARNING, "reload failed: " + e.getMessage());
            throw e;
        }
    }

    private static void log(Level level, String text) {
        System.getLogger("dev.tandem.cli").log(level, text);
    }

    /// One at a time: what is read first is applied first.
    private synchronized String apply() {
        if (isEnding()) {
            throw Failure.failed("nothing has changed: the server is stopping");
        }
        supervisor.reloading();
        try {
            List<String> pending = served.reload(readConfiguration());
            warnOfServedFiles();
            if (file.isEmpty()) {
                return "certificates and keys were reloaded";
            }
            return pending.isEmpty()
                    ? "configuration was reloaded"
                    : "configuration was reloaded; changes of "
                            + String.join(", ", pending)
                            + " take effect at the next start";
        } catch (ConfigException | IllegalStateException e) {
            throw Failure.failed("nothing has changed: " + e.getMessage());
        } catch (IOException | IllegalArgumentException e) {
            throw Failure.failed("nothing has changed: " + located(e));
        } catch (ServiceConfigurationError | LinkageError e) {
            // An upgrade has removed the jars of what only the new file needs.
            throw Failure.failed("it needs a restart: " + e);
        } finally {
            if (!isEnding()) {
                supervisor.ready();
            }
        }
    }

    /// Returns the message, with file and line as at a start.
    private String located(Exception e) {
        return file.map(known -> ConfigFile.located(known, e.getMessage()))
                .orElseGet(() -> String.valueOf(e.getMessage()));
    }

    /// Returns whether it stops, or another process is the main one by now.
    private boolean isEnding() {
        return isStopping || isRetired;
    }

    private Configuration readConfiguration() throws ConfigException {
        return file.isPresent() ? ConfigFile.read(file.get()) : served.configuration();
    }

    /// Reloads; the log has the result.
    @Override
    public void reloadAndReport() {
        try {
            reload();
        } catch (Failure _) {
            // Logged.
        }
    }

    @Override
    public void reopenLogs() {
        served.reopenLogs();
    }

    // ---- Stopping.

    /// @param defaultGrace time limit for running requests, if the configuration does not set one
    @Override
    public void stop(Duration defaultGrace) {
        if (isRetired) {
            awaitRetirement();
            return;
        }
        isStopping = true;
        supervisor.stopping();
        Control open = control;
        if (open != null) {
            open.stop();
        }
        served.stop(grace(defaultGrace));
        removePidFile();
    }

    /// The end of the process, which a signal has begun, waits for its running requests.
    private void awaitRetirement() {
        try {
            retirementEnd.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Duration grace(Duration defaultGrace) {
        return file.isPresent()
                ? served.configuration().limits().timeouts().stopGrace()
                : defaultGrace;
    }

    private void removePidFile() {
        process.pidFile()
                .ifPresent(
                        path -> {
                            try {
                                if (Files.readString(path).strip().equals(pid())) {
                                    Files.delete(path);
                                }
                            } catch (IOException _) {
                                // The pid file is only a convenience.
                            }
                        });
    }

    /// Another process has taken over the sockets: finishes running requests, and ends the process.
    void retire() {
        Thread retiring =
                Thread.ofPlatform()
                        .name("tandem-retire")
                        .unstarted(
                                () -> {
                                    try {
                                        Control open = control;
                                        if (open != null) {
                                            open.retire();
                                        }
                                        served.retire(
                                                served.configuration()
                                                        .limits()
                                                        .timeouts()
                                                        .stopGrace());
                                    } finally {
                                        retirementEnd.countDown(); // the exit waits for a stop
                                    }
                                    exit.run();
                                });
        isRetired = true;
        try {
            retiring.start();
        } catch (Throwable e) {
            isRetired = false; // for lack of memory: a stop would wait for what never begins
            throw e;
        }
    }
}
