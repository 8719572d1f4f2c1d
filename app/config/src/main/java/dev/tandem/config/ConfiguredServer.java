package dev.tandem.config;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.acme.AcmeCertificates;
import dev.tandem.fleet.DatabaseBudget;
import dev.tandem.fleet.Fleet;
import dev.tandem.http.Handler;
import dev.tandem.logs.AccessLogWriter;
import dev.tandem.logs.ErrorLog;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A server with a [Configuration], which can be replaced while the server runs. Safe for use by
/// any thread.
public final class ConfiguredServer implements AutoCloseable {
    /// How long unused resources stay open for requests that are just ending: a second.
    private static final Duration RETIRED_GRACE = Duration.ofSeconds(1);

    private final List<InheritedSocket> inherited;
    private final FolderFactory folders;
    private final @Nullable Fleet fleet;
    private final @Nullable DatabaseBudget budget;
    private final Server server;

    /// Held by a reload, one at a time. All else takes only this object's own lock, under which no
    /// file of a configuration is read: a stop does not wait for a reload that lasts.
    private final ReentrantLock reloads = new ReentrantLock();

    /// Written by reloads.
    private volatile Configuration configuration;

    /// That of the configuration, unless it could not be restored after a failed reload.
    private ErrorSettings errorLog = ErrorSettings.DEFAULT;

    private boolean isClosed;

    private @Nullable AccessLogWriter log;
    private Map<BackendKey, Backend> backends;

    /// Read by gauges without the lock.
    private volatile AcmeSources acme = AcmeSources.NONE;

    private volatile boolean isRetired;

    /// Backends of earlier configurations that may still be in use.
    private final List<Backend> retired = new ArrayList<>();

    /// Identifies a backend: a new configuration with the same service reuses it.
    ///
    /// @param root of the site
    private record BackendKey(Service service, @Nullable Path root) {}

    /// What was built from a configuration, before the server uses it.
    private final class Draft implements AutoCloseable {
        final Map<BackendKey, Backend> backends = new HashMap<>();
        final @Nullable AccessLogWriter log;
        final Tandem tandem;
        final AcmeSources acme;
        private final AcmeSources previousAcme;
        private final Map<BackendKey, Backend> previousBackends;
        private final @Nullable AccessLogWriter previousLog;
        private boolean isCommitted;

        /// @param previous null at the start
        Draft(Configuration next, @Nullable Configuration previous) throws IOException {
            previousBackends = ConfiguredServer.this.backends;
            previousLog = ConfiguredServer.this.log;
            boolean isSameLog = previous != null && previous.accessLog().equals(next.accessLog());
            previousAcme = ConfiguredServer.this.acme;
            acme = AcmeSources.of(next, previousAcme);
            try {
                log = isSameLog ? previousLog : open(next);
            } catch (IOException e) {
                acme.closeAllBut(previousAcme);
                throw e;
            }
            try {
                tandem =
                        new ServerAssembly(this::backend, folders, fleet, acme, inherited)
                                .createServer(next, log);
                // A reload keeps the server's first gauges: these always read the current sources.
                AcmeCertificates.gauges(() -> ConfiguredServer.this.acme.all())
                        .forEach(tandem::gauge);
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
            acme.closeAllBut(previousAcme);
            backends.values().stream()
                    .filter(b -> !previousBackends.containsValue(b))
                    .forEach(Backend::close);
        }
    }

    private ConfiguredServer(Configuration configuration, List<InheritedSocket> inherited)
            throws IOException {
        ServerSecrets.check(configuration);
        this.inherited = List.copyOf(inherited);
        this.configuration = configuration;
        this.backends = Map.of();
        if (!configuration.errorLog().equals(ErrorSettings.DEFAULT)) {
            configure(configuration.errorLog());
        }
        this.folders =
                new FolderFactory(
                        configuration.pageCache().map(PageCacheSettings::open).orElse(null));
        boolean isStarted = false;
        Fleet opened = null;
        try {
            opened = configuration.fleet().isPresent() ? open(configuration) : null;
            fleet = opened;
            try (var draft = new Draft(configuration, null)) {
                server = draft.tandem.start();
                draft.commit();
                log = draft.log;
                backends = draft.backends;
                acme = draft.acme;
                isStarted = true;
            }
        } finally {
            if (!isStarted) {
                folders.close();
                if (opened != null) {
                    opened.close();
                }
            }
        }
        acme.start(AcmeSources.NONE, server::reloadTls);
        if (opened != null) {
            opened.join(server);
        }
        budget = configuration.database().map(DatabaseSettings::open).orElse(null);
        setModes(configuration);
    }

    private static Fleet open(Configuration configuration) throws IOException {
        return Fleet.open(configuration.fleet().orElseThrow());
    }

    /// Starts a server.
    ///
    /// @param inherited sockets that were open when the process was started
    /// @throws IOException if an address is not available, or a certificate, key or log cannot be
    ///     used; says which
    /// @throws IllegalArgumentException if the configuration is inconsistent, or a secret of the
    ///     server would be served; says why
    public static ConfiguredServer start(
            Configuration configuration, List<InheritedSocket> inherited) throws IOException {
        return new ConfiguredServer(configuration, inherited);
    }

    public Server server() {
        return server;
    }

    public Configuration configuration() {
        return configuration;
    }

    /// Applies another configuration, as [Server#reload] does.
    ///
    /// @return names of the tables whose changes take effect at the next start; empty if there are
    ///     none
    /// @throws IOException if it fails; then nothing has changed, and the message gives the reason.
    ///     If the previous error log cannot be opened again, it says that, too
    /// @throws IllegalArgumentException if the configuration is inconsistent, or a secret of the
    ///     server would be served; nothing has changed, either
    /// @throws IllegalStateException if the server was stopped; nothing has changed, either
    public List<String> reload(Configuration next) throws IOException {
        reloads.lock();
        try {
            return reloadInTurn(next);
        } finally {
            reloads.unlock();
        }
    }

    private List<String> reloadInTurn(Configuration next) throws IOException {
        ServerSecrets.check(next);
        ErrorSettings previousLog = errorLog;
        if (next.errorLog().equals(previousLog)) {
            return change(next);
        }
        configure(next.errorLog()); // fails before anything has changed
        try {
            return change(next);
        } catch (IOException | RuntimeException e) {
            restore(previousLog, e);
            throw e;
        }
    }

    /// @throws IOException with the reason of the failed reload, too
    private void restore(ErrorSettings log, Exception reason) throws IOException {
        try {
            configure(log);
        } catch (IOException e) {
            String stays = "; but the error log stays at its new place: ";
            throw new IOException(reason.getMessage() + stays + e.getMessage(), reason);
        }
    }

    private void configure(ErrorSettings log) throws IOException {
        ErrorLog.configure(log.file(), log.level());
        errorLog = log;
    }

    private List<String> change(Configuration next) throws IOException {
        try (var draft = new Draft(next, configuration)) {
            server.reload(draft.tandem);
            AcmeSources previousAcme = use(draft);
            previousAcme.closeAllBut(draft.acme); // waits for their threads
        }
        List<String> pending = changesForNextStart(configuration, next);
        configuration = next;
        try {
            setModes(next);
        } catch (IOException e) {
            // The rest was changed. A file of a socket that was removed has no mode.
            System.getLogger("dev.tandem.config")
                    .log(Level.WARNING, "cannot set the mode of a listener's file: " + e);
        }
        return pending;
    }

    /// @return the previous sources of certificates
    private synchronized AcmeSources use(Draft draft) {
        if (isClosed) {
            throw new IllegalStateException("the server is stopped");
        }
        draft.commit();
        retireUnused(draft);
        AcmeSources previous = acme;
        draft.acme.start(previous, server::reloadTls);
        acme = draft.acme;
        return previous;
    }

    /// Running requests continue with the previous resources.
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

    /// Closes unused resources after the requests that were just ending.
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
        if (!previous.limits().equals(next.limits())) {
            pending.add("[limits]");
        }
        if (!previous.manage().equals(next.manage())) {
            pending.add("[manage]");
        }
        if (!previous.fleet().equals(next.fleet())) {
            pending.add("[fleet]");
        }
        if (!previous.database().equals(next.database())) {
            pending.add("[database]");
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

    /// Reopens log files by name, after another program has renamed them.
    public synchronized void reopenLogs() {
        ErrorLog.reopen();
        if (log != null) {
            log.reopen();
        }
    }

    /// Returns how many lines of the access log were lost.
    public synchronized long lostLines() {
        return log == null ? 0 : log.lost();
    }

    /// Returns whether load balancers are asked to send no more requests before a stop.
    public boolean isInFleet() {
        return fleet != null;
    }

    /// Stops the server, after load balancers send it no more requests if it is in a fleet; then
    /// closes its resources.
    ///
    /// @return as [Server#stop]
    public boolean stop(Duration grace) {
        boolean isDone = fleet == null || isRetired ? server.stop(grace) : fleet.drain(grace);
        closeResources();
        return isDone;
    }

    /// Stops the server after another process has taken over its sockets: see [Server#retire]. Load
    /// balancers send their requests to that one.
    public boolean retire(Duration grace) {
        isRetired = true;
        boolean isDone = server.retire(grace);
        closeResources();
        return isDone;
    }

    private synchronized void closeResources() {
        isClosed = true;
        acme.closeAllBut(AcmeSources.NONE);
        backends.values().forEach(Backend::close);
        retired.forEach(Backend::close);
        folders.close();
        if (budget != null) {
            budget.close();
        }
        if (fleet != null) {
            fleet.close();
        }
        if (log != null) {
            log.close();
        }
    }

    @Override
    public void close() {
        stop(configuration().limits().timeouts().stopGrace());
    }
}
