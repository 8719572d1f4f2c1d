package dev.tandem.config;

import dev.tandem.cgi.Cgi;
import dev.tandem.cgi.CgiOptions;
import dev.tandem.logs.AccessFile;
import dev.tandem.logs.ErrorLog;
import dev.tandem.server.Server;
import dev.tandem.server.Tandem;
import dev.tandem.tls.TlsConfigException;
import dev.tandem.tls.TlsContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A server that does what a [Configuration] tells, and may be told another one while it runs.
/// Safe for use by any thread.
public final class ConfiguredServer implements AutoCloseable {
    /// How long an access log that is not used any more takes lines of requests that were ending:
    /// a second.
    private static final Duration LOG_GRACE = Duration.ofSeconds(1);

    private final List<Inherited> inherited;
    private final Server server;
    private Configuration told;
    private @Nullable AccessFile log;
    private Map<Programs, Cgi> programs;

    /// What ran programs before; they may still run some.
    private final List<Cgi> retired = new ArrayList<>();

    /// @param root of the site
    private record Programs(Service.Programs service, @Nullable Path root) {}

    /// What was made of a configuration, and not given to the server yet.
    private final class Draft implements AutoCloseable {
        final Map<Programs, Cgi> programs = new HashMap<>();
        final @Nullable AccessFile log;
        final Tandem tandem;
        private final Map<Programs, Cgi> known;
        private final @Nullable AccessFile knownLog;
        private boolean isTaken;

        Draft(Configuration next, @Nullable Configuration before) throws IOException {
            known = ConfiguredServer.this.programs;
            knownLog = ConfiguredServer.this.log;
            boolean isSameLog = before != null && before.access().equals(next.access());
            log = isSameLog ? knownLog : open(next);
            try {
                tandem = new Assembly(this::programs, inherited).tandem(next, log);
            } catch (IOException | RuntimeException e) {
                close();
                throw e;
            }
        }

        private static @Nullable AccessFile open(Configuration next) throws IOException {
            return next.access().isEmpty() ? null : AccessFile.open(next.access().get());
        }

        /// One that runs the same programs already goes on.
        private Cgi programs(Service.Programs service, @Nullable Path root) {
            return programs.computeIfAbsent(
                    new Programs(service, root),
                    same -> {
                        Cgi running = known.get(same);
                        CgiOptions options = service.options().withDocumentRoot(root);
                        return running == null ? Cgi.folder(service.root(), options) : running;
                    });
        }

        void taken() {
            isTaken = true;
        }

        @Override
        public void close() {
            if (!isTaken && log != null && log != knownLog) {
                log.close();
            }
        }
    }

    private ConfiguredServer(Configuration told, List<Inherited> inherited) throws IOException {
        this.inherited = List.copyOf(inherited);
        this.told = told;
        this.programs = Map.of();
        if (!told.errors().equals(ErrorSettings.DEFAULT)) {
            ErrorLog.configure(told.errors().file(), told.errors().level());
        }
        try (var draft = new Draft(told, null)) {
            server = draft.tandem.start();
            draft.taken();
            log = draft.log;
            programs = draft.programs;
        }
        setModes(told);
    }

    /// Starts a server.
    ///
    /// @param inherited sockets that were open when the process was started
    /// @throws IOException if an address is not to be had, or a certificate, key or log cannot be
    ///     used; says which
    /// @throws IllegalArgumentException if it makes no sense; says why
    public static ConfiguredServer start(Configuration told, List<Inherited> inherited)
            throws IOException {
        return new ConfiguredServer(told, inherited);
    }

    /// Looks at what can only be told by use: whether certificates and keys fit.
    ///
    /// @throws IOException if one cannot be used; says which
    public static void rehearse(Configuration told) throws IOException {
        for (ListenSettings listen : told.listeners()) {
            if (listen.tls().isPresent()) {
                try {
                    TlsContext.open(listen.tls().get().settings());
                } catch (TlsConfigException e) {
                    throw new IOException(listen.address() + ": " + e.getMessage(), e);
                }
            }
        }
    }

    public Server server() {
        return server;
    }

    public synchronized Configuration told() {
        return told;
    }

    /// Does what another configuration tells, as [Server#reload] does.
    ///
    /// @return what takes effect only at the next start, as names of tables; empty if there is
    ///     nothing
    /// @throws IOException if it cannot; then all is as it was, and the message says why
    /// @throws IllegalArgumentException the same, if it makes no sense
    public synchronized List<String> reload(Configuration next) throws IOException {
        try (var draft = new Draft(next, told)) {
            server.reload(draft.tandem);
            draft.taken();
            retire(draft);
        }
        List<String> later = later(told, next);
        boolean isOtherLog = !told.errors().equals(next.errors());
        told = next;
        setModes(next);
        if (isOtherLog) {
            ErrorLog.configure(next.errors().file(), next.errors().level());
        }
        return later;
    }

    /// Requests that have begun go on with what there was before.
    private void retire(Draft draft) {
        retired.removeIf(old -> old.processCount() == 0);
        programs.forEach(
                (what, runs) -> {
                    if (!draft.programs.containsKey(what)) {
                        retired.add(runs);
                    }
                });
        programs = draft.programs;
        AccessFile before = log;
        log = draft.log;
        if (before != null && before != log) {
            Thread.ofVirtual().name("tandem-log-end").start(() -> endLog(before));
        }
    }

    private static void endLog(AccessFile log) {
        try {
            Thread.sleep(LOG_GRACE);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        log.close();
    }

    private static List<String> later(Configuration before, Configuration next) {
        var later = new ArrayList<String>();
        if (!LimitKeys.areSame(before.limits(), next.limits())) {
            later.add("[limits]");
        }
        if (!before.manage().equals(next.manage())) {
            later.add("[manage]");
        }
        if (!before.process().equals(next.process())) {
            later.add("[process]");
        }
        return later;
    }

    private static void setModes(Configuration told) throws IOException {
        for (ListenSettings listen : told.listeners()) {
            if (listen.mode().isPresent() && listen.address() instanceof Address.Unix(Path path)) {
                var mode = PosixFilePermissions.fromString(listen.mode().get());
                Files.setPosixFilePermissions(path, mode);
            }
        }
    }

    /// Begins log files anew at their names: another program has renamed them.
    public synchronized void reopenLogs() {
        ErrorLog.reopen();
        if (log != null) {
            log.reopen();
        }
    }

    /// How many lines of the access log were lost.
    public synchronized long lostLines() {
        return log == null ? 0 : log.lost();
    }

    /// Stops the server, then whatever it needed.
    ///
    /// @return as [Server#stop]
    public boolean stop(Duration grace) {
        boolean isDone = server.stop(grace);
        end();
        return isDone;
    }

    /// The same where another process has the sockets: see [Server#retire].
    public boolean retire(Duration grace) {
        boolean isDone = server.retire(grace);
        end();
        return isDone;
    }

    private synchronized void end() {
        programs.values().forEach(Cgi::close);
        retired.forEach(Cgi::close);
        if (log != null) {
            log.close();
        }
    }

    @Override
    public void close() {
        stop(told().limits().stopGrace());
    }
}
