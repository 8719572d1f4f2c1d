package dev.tandem.config;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.http.Handler;
import dev.tandem.logs.AccessLogWriter;
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

    private final List<InheritedSocket> inherited;
    private final FolderFactory folders;
    private final Server server;
    private Configuration configuration;
    private @Nullable AccessLogWriter log;
    private Map<BackendKey, Backend> backends;

    /// Those of before that may still be in use.
    private final List<Backend> retired = new ArrayList<>();

    /// What a backend does: another configuration that says the same goes on with it.
    ///
    /// @param root of the site
    private record BackendKey(Service service, @Nullable Path root) {}

    /// What was made of a configuration, and not given to the server yet.
    private final class Draft implements AutoCloseable {
        final Map<BackendKey, Backend> backends = new HashMap<>();
        final @Nullable AccessLogWriter log;
        final Tandem tandem;
        private final Map<BackendKey, Backend> previousBackends;
        private final @Nullable AccessLogWriter previousLog;
        private boolean isCommitted;

        /// @param previous null at the start
        Draft(Configuration next, @Nullable Configuration previous) throws IOException {
            previousBackends = ConfiguredServer.this.backends;
            previousLog = ConfiguredServer.this.log;
            boolean isSameLog = previous != null && previous.accessLog().equals(next.accessLog());
            log = isSameLog ? previousLog : open(next);
            try {
                tandem =
                        new ServerAssembly(this::backend, folders, inherited)
                                .createServer(next, log);
            } catch (IOException | RuntimeException e) {
                close();
                throw e;
            }
        }

        private static @Nullable AccessLogWriter open(Configuration next) throws IOException {
            return next.accessLog().isEmpty() ? null : AccessLogWriter.open(next.accessLog().get());
        }

        private Handler backend(Service service, @Nullable Path root) {
            var key = new BackendKey(service, root);
            Backend running = previousBackends.get(key);
            return backends.computeIfAbsent(
                            key,
                            _ -> running == null ? Backend.of(service, root, folders) : running)
                    .handler();
        }

        void commit() {
            isCommitted = true;
        }

        @Override
        public void close() {
            if (isCommitted) {
                return;
            }
            if (log != null && log != previousLog) {
                log.close();
            }
            backends.values().stream()
                    .filter(b -> !previousBackends.containsValue(b))
                    .forEach(Backend::close);
        }
    }

    private ConfiguredServer(Configuration configuration, List<InheritedSocket> inherited)
            throws IOException {
        this.inherited = List.copyOf(inherited);
        this.configuration = configuration;
        this.backends = Map.of();
        if (!configuration.errorLog().equals(ErrorSettings.DEFAULT)) {
            ErrorLog.configure(configuration.errorLog().file(), configuration.errorLog().level());
        }
        this.folders =
                new FolderFactory(
                        configuration.pageCache().map(PageCacheSettings::open).orElse(null));
        boolean isStarted = false;
        try (var draft = new Draft(configuration, null)) {
            server = draft.tandem.start();
            draft.commit();
            log = draft.log;
            backends = draft.backends;
            isStarted = true;
        } finally {
            if (!isStarted) {
                folders.close();
            }
        }
        setModes(configuration);
    }

    /// Starts a server.
    ///
    /// @param inherited sockets that were open when the process was started
    /// @throws IOException if an address is not to be had, or a certificate, key or log cannot be
    ///     used; says which
    /// @throws IllegalArgumentException if it makes no sense; says why
    public static ConfiguredServer start(
            Configuration configuration, List<InheritedSocket> inherited) throws IOException {
        return new ConfiguredServer(configuration, inherited);
    }

    /// Looks at what can only be told by use: whether certificates and keys fit.
    ///
    /// @throws IOException if one cannot be used; says which
    public static void validateTls(Configuration configuration) throws IOException {
        for (ListenSettings listen : configuration.listeners()) {
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

    public synchronized Configuration configuration() {
        return configuration;
    }

    /// Does what another configuration tells, as [Server#reload] does.
    ///
    /// @return what takes effect only at the next start, as names of tables; empty if there is
    ///     nothing
    /// @throws IOException if it cannot; then all is as it was, and the message says why
    /// @throws IllegalArgumentException the same, if it makes no sense
    public synchronized List<String> reload(Configuration next) throws IOException {
        try (var draft = new Draft(next, configuration)) {
            server.reload(draft.tandem);
            draft.commit();
            retireUnused(draft);
        }
        List<String> pending = changesForNextStart(configuration, next);
        boolean isOtherLog = !configuration.errorLog().equals(next.errorLog());
        configuration = next;
        setModes(next);
        if (isOtherLog) {
            ErrorLog.configure(next.errorLog().file(), next.errorLog().level());
        }
        return pending;
    }

    /// Requests that have begun go on with what there was before.
    private void retireUnused(Draft draft) {
        backends.forEach(
                (key, backend) -> {
                    if (!draft.backends.containsKey(key)) {
                        retired.add(backend);
                    }
                });
        backends = draft.backends;
        AccessLogWriter previous = log;
        log = draft.log;
        AccessLogWriter unusedLog = previous == log ? null : previous;
        Thread.ofVirtual().name("tandem-retired").start(() -> closeUnused(unusedLog));
    }

    /// Ends what is not used any more, once requests that were just ending have ended.
    private void closeUnused(@Nullable AccessLogWriter unusedLog) {
        try {
            Thread.sleep(RETIRED_GRACE);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        if (unusedLog != null) {
            unusedLog.close();
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

    private static List<String> changesForNextStart(Configuration previous, Configuration next) {
        var pending = new ArrayList<String>();
        if (!LimitKeys.areSame(previous.limits(), next.limits())) {
            pending.add("[limits]");
        }
        if (!previous.manage().equals(next.manage())) {
            pending.add("[manage]");
        }
        if (!previous.pageCache().equals(next.pageCache())) {
            pending.add("[page_cache]");
        }
        if (!previous.process().equals(next.process())) {
            pending.add("[process]");
        }
        return pending;
    }

    private static void setModes(Configuration configuration) throws IOException {
        for (ListenSettings listen : configuration.listeners()) {
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
        closeResources();
        return isDone;
    }

    /// The same where another process has the sockets: see [Server#retire].
    public boolean retire(Duration grace) {
        boolean isDone = server.retire(grace);
        closeResources();
        return isDone;
    }

    private synchronized void closeResources() {
        backends.values().forEach(Backend::close);
        retired.forEach(Backend::close);
        folders.close();
        if (log != null) {
            log.close();
        }
    }

    @Override
    public void close() {
        stop(configuration().limits().stopGrace());
    }
}
