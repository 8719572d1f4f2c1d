package dev.tandem.cgi;

import dev.tandem.cgi.ScriptLookup.Forbidden;
import dev.tandem.cgi.ScriptLookup.NotFound;
import dev.tandem.cgi.ScriptLookup.Script;
import dev.tandem.http.Exchange;
import dev.tandem.http.Handler;
import dev.tandem.http.HttpException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Runs the programs below a folder by CGI/1.1 (RFC 3875), one process for each request:
/// `route("*", "/cgi-bin/{path...}", Cgi.folder(folder))`. Thread safe.
///
/// The first part of the path that is a file is the program, the rest its `PATH_INFO`. Paths that
/// are missing, hidden (a name that begins with a dot), folders, or outside of the root are 404; a
/// file that the server's user may not execute is 403; a program that writes no response or a
/// malformed one is 502; a program that is too slow is 504; a request that gets no process slot is
/// 503. Programs that write the whole response themselves (section 5, names that begin with `nph-`)
/// are rejected with 501.
///
/// When a program fails, is too slow, or its client disconnects, it is killed with its process
/// group. A program that has closed its output may continue for the inactivity time-out.
public final class Cgi implements Handler, AutoCloseable {
    /// The parameter that the route's pattern must end with.
    private static final String PATH_PARAMETER = "path";

    /// Value of `Retry-After` in rejections, in seconds.
    private static final String RETRY_SECONDS = "1";

    private final ScriptFolder scripts;
    private final CgiOptions options;
    private final Environment environment;
    private final ProcessSlots slots;
    private final Spawner spawner;
    private final Set<RunningProgram> running = ConcurrentHashMap.newKeySet();

    private Cgi(Path root, CgiOptions options, Spawner spawner) {
        this.scripts = new ScriptFolder(root, options.isFollowingLinks());
        this.options = options;
        this.environment = new Environment(options, System.getenv());
        this.slots =
                new ProcessSlots(options.processesMax(), options.queueMax(), options.queueWait());
        this.spawner = spawner;
    }

    /// Returns a handler for the programs below `root`, with [CgiOptions#DEFAULT].
    ///
    /// @throws IllegalArgumentException if `root` is not a folder
    public static Cgi folder(Path root) {
        return folder(root, CgiOptions.DEFAULT);
    }

    /// Returns a handler for the programs below `root`. If `root` is a link, each request uses the
    /// folder that it points to at that time.
    ///
    /// @throws IllegalArgumentException if `root` is not a folder
    public static Cgi folder(Path root, CgiOptions options) {
        return folder(root, options, Spawner.best());
    }

    /// Returns a handler that starts programs by the given spawner.
    ///
    /// @throws IllegalArgumentException if `root` is not a folder
    public static Cgi folder(Path root, CgiOptions options, Spawner spawner) {
        return new Cgi(root, options, spawner);
    }

    /// Responds with the output of a program.
    ///
    /// @throws HttpException 403, 404, 500 if the program cannot be started, 501 to 504; see above
    /// @throws IOException if the disk fails, or the client has disconnected
    /// @throws IllegalArgumentException if the route's pattern has no `{path...}`
    @Override
    public void handle(Exchange x) throws Exception {
        Script script = script(x.pathParam(PATH_PARAMETER));
        String localRedirect;
        // Before it has a slot: an upload that pauses would hold the slot for as long.
        try (Content content = Content.of(x.request())) {
            switch (acquireSlot(x)) {
                case ACQUIRED -> {
                    // Continues below.
                }
                case REJECTED -> {
                    x.status(503).header("Retry-After", RETRY_SECONDS);
                    x.send("Too many programs are running. Try again in a moment.\n");
                    return;
                }
                case DISCONNECTED ->
                        throw new IOException("the client disconnected before it got a slot");
            }
            localRedirect = exchange(x, content, start(x, script, content));
        }
        if (localRedirect != null) {
            x.forward(localRedirect);
        }
    }

    private ProcessSlots.Outcome acquireSlot(Exchange x) {
        try {
            return slots.tryAcquire(x::isClientDisconnected);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new HttpException(503, "the server is stopping");
        }
    }

    private Script script(String tail) throws IOException {
        return switch (scripts.find(tail)) {
            case NotFound _ -> throw new HttpException(404, "there is no such program");
            case Forbidden _ -> throw new HttpException(403, "this file may not be executed");
            case Script(Path file, String _) when isNph(file) ->
                    throw new HttpException(501, "nph- programs are not run");
            case Script script -> script;
        };
    }

    private static boolean isNph(Path file) {
        return String.valueOf(file.getFileName()).startsWith("nph-");
    }

    /// Uses the slot that was acquired: whatever fails, also for lack of memory, it is released.
    private RunningProgram start(Exchange x, Script script, Content content) {
        ScriptProcess process = null;
        RunningProgram started = null;
        try {
            String name = "exchange " + x.id() + ", " + script.file().getFileName();
            process = start(name, program(x, script, content));
            long deadline = System.nanoTime() + options.lifetimeMax().toNanos();
            var made = new RunningProgram(process, name, deadline, this::onEnd);
            running.add(made);
            started = made;
            return made;
        } finally {
            if (started == null) {
                slots.release();
                if (process != null) {
                    process.kill();
                    process.close();
                }
            }
        }
    }

    private Program program(Exchange x, Script script, Content content) {
        return new Program(
                script.file(),
                parent(script.file()),
                environment.variables(x, script, content.length()),
                !content.isEmpty());
    }

    private ScriptProcess start(String name, Program program) {
        try {
            return spawner.start(program);
        } catch (IOException e) {
            Log.LOG.log(Level.ERROR, name + ": cannot be started: " + e.getMessage());
            throw new HttpException(500, "the program behind this page cannot be started");
        }
    }

    private static Path parent(Path file) {
        Path folder = file.getParent();
        return folder == null ? file : folder;
    }

    private void onEnd(RunningProgram program) {
        running.remove(program);
        slots.release();
    }

    private @Nullable String exchange(Exchange x, Content content, RunningProgram program)
            throws IOException {
        boolean isComplete = false;
        try {
            String localRedirect = new CgiExchange(x, program, content, options).run();
            isComplete = true;
            return localRedirect;
        } finally {
            long now = System.nanoTime();
            program.finish(isComplete ? now + options.inactivityTimeout().toNanos() : now);
        }
    }

    /// Returns the number of running programs.
    public int processCount() {
        return running.size();
    }

    /// Returns the number of requests that wait for a process slot.
    public int waitingCount() {
        return slots.waitingCount();
    }

    /// Kills all running programs. Stop the server first: a program that is being started at the
    /// same time may be missed, and later requests are still handled.
    @Override
    public void close() {
        running.forEach(RunningProgram::kill);
    }
}
