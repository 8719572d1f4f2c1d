package dev.tandem.config;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.http.Handler;
import dev.tandem.logs.AccessFile;
import dev.tandem.logs.ErrorLog;
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
    /// How long what is not used any more serves requests that were just ending: a second.
    private static final Duration RETIRED_GRACE = Duration.ofSeconds(1);

    private final List<Inherited> inherited;
    private final Folders folders;
    private final Server server;
    private Configuration told;
    private @Nullable AccessFile log;
    private Map<Task, Backend> backends;

    /// Those of before that may still be in use.
    private final List<Backend> retired = new ArrayList<>();

    /// What a backend does: another configuration that says the same goes on with it.
    ///
    /// @param root of the site
    private record Task(Service service, @Nullable Path root) {}

    /// What was made of a configuration, and not given to the server yet.
    private final class Draft implements AutoCloseable {
        final Map<Task, Backend> backends = new HashMap<>();
        final @Nullable AccessFile log;
        final Tandem tandem;
        private final Map<Task, Backend> known;
        private final @Nullable AccessFile knownLog;
        private boolean isTaken;

        /// @param before null at the start
        Draft(Configuration next, @Nullable Configuration before) throws IOException {
            known = ConfiguredServer.this.backends;
            knownLog = ConfiguredServer.this.log;
            boolean isSameLog = before != null && before.access().equals(next.access());
            log = isSameLog ? knownLog : open(next);
            try {
                tandem = new Assembly(this::backend, folders, inherited).tandem(next, log);
            } catch (IOException | RuntimeException e) {
                close();
                throw e;
            }
        }

        private static @Nullable AccessFile open(Configuration next) throws IOException {
            return next.access().isEmpty() ? null : AccessFile.open(next.access().get());
        }

        private Handler backend(Service service, @Nullable Path root) {
            var task = new Task(service, root);
            Backend running = known.get(task);
            return backends.computeIfAbsent(
                            task,
                            _ -> running == null ? Backend.of(service, root, folders) : running)
                    .handler();
        }

        void taken() {
            isTaken = true;
        }

        @Override
        public void close() {
            if (isTaken) {
                return;
            }
            if (log != null && log != knownLog) {
                log.close();
            }
            backends.values().stream().filter(b -> !known.containsValue(b)).forEach(Backend::close);
        }
    }

    private ConfiguredServer(Configuration told, List<Inherited> inherited) throws IOException {
        this.inherited = List.copyOf(inherited);
        this.told = told;
        this.backends = Map.of();
        if (!told.errors().equals(ErrorSettings.DEFAULT)) {
            ErrorLog.configure(told.errors().file(), told.errors().level());
        }
        this.folders = new Folders(told.pageCache().map(PageCacheSettings::open).orElse(null));
        boolean isStarted = false;
        try (var draft = new Draft(told, null)) {
            server = draft.tandem.start();
            draft.taken();
            log = draft.log;
            backends = draft.backends;
            isStarted = true;
        } finally {
            if (!isStarted) {
                folders.close();
            }
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
        backends.forEach(
                (task, backend) -> {
                    if (!draft.backends.containsKey(task)) {
                        retired.add(backend);
                    }
                });
        backends = draft.backends;
        AccessFile before = log;
        log = draft.log;
        AccessFile over = before == log ? null : before;
        Thread.ofVirtual().name("tandem-retired").start(() -> clear(over));
    }

    /// Ends what is not used any more, once requests that were just ending have ended.
    private void clear(@Nullable AccessFile over) {
        try {
            Thread.sleep(RETIRED_GRACE);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        if (over != null) {
            over.close();
        }
        closeIdle();
    }

    private synchronized void closeIdle() {
        for (Backend old : List.copyOf(retired)) {
            if (old.isIdle().get()) {
                retired.remove(old);
                old.close();
            }
        }
    }

    private static List<String> later(Configuration before, Configuration next) {
        var later = new ArrayList<String>();
        if (!LimitKeys.areSame(before.limits(), next.limits())) {
            later.add("[limits]");
        }
        if (!before.manage().equals(next.manage())) {
            later.add("[manage]");
        }
        if (!before.pageCache().equals(next.pageCache())) {
            later.add("[page_cache]");
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
        backends.values().forEach(Backend::close);
        retired.forEach(Backend::close);
        folders.close();
        if (log != null) {
            log.close();
        }
    }

    @Override
    public void close() {
        stop(told().limits().stopGrace());
    }
}
