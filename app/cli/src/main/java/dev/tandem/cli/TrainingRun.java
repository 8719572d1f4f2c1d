package dev.tandem.cli;

import dev.tandem.Server;
import dev.tandem.cli.certificate.LocalCertificate;
import dev.tandem.cli.command.Failure;
import dev.tandem.cli.command.Terminal;
import dev.tandem.cli.serving.OperatedServer;
import dev.tandem.cli.serving.ServerLifecycle;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A training run for the JVM's AOT cache: starts the server as users do, and has a
/// [TrainingClient] send what servers get. The launcher runs it once, for the JVM to record what
/// was loaded, linked and called most (JEP 483, 514 and 515). Ends by itself: it fails if the
/// client does not end within [#TIMEOUT_SECONDS].
///
/// The client is another process: the cache should have neither its classes nor its profiles.
final class TrainingRun implements ServerLifecycle {
    private static final int TIMEOUT_SECONDS = 120;

    /// The files that are requested, and their sizes in bytes: in one write with the head, in
    /// several records of TLS, and more than a socket takes at once.
    private static final List<String> FILES = List.of("file.bin", "page.html", "large.bin");

    private static final int[] SIZES = {1024, 24_000, 600_000};

    /// Time limit for requests that run when the client has ended: none does.
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final CommandExecutor executor;
    private final Supplier<Iterable<CommandProvider>> providers;
    private final ServerLifecycle process;

    /// Runs a command line.
    @FunctionalInterface
    interface CommandExecutor {
        /// @return its status
        int execute(Terminal terminal, ServerLifecycle lifecycle, List<String> words);
    }

    /// @param executor of the commands that are run
    /// @param providers whose commands are run, too
    /// @param process what servers have otherwise, to be trained, too
    TrainingRun(
            CommandExecutor executor,
            Supplier<Iterable<CommandProvider>> providers,
            ServerLifecycle process) {
        this.executor = executor;
        this.providers = providers;
        this.process = process;
    }

    /// @param part the class path that the cache is for
    /// @throws Failure if the server could not be started or did not respond
    void run(LauncherPart part) {
        try {
            Path folder = Files.createTempDirectory("tandem-rehearsal-");
            Path secrets = Files.createTempDirectory("tandem-rehearsal-tls-"); // not to be served
            try {
                LocalCertificate.makeIn(secrets);
                trainIn(folder, secrets, part);
            } finally {
                delete(folder);
                delete(secrets);
            }
        } catch (IOException | GeneralSecurityException e) {
            throw Failure.failed("the training run cannot be prepared: " + e.getMessage());
        }
    }

    private void trainIn(Path folder, Path secrets, LauncherPart part) throws IOException {
        for (int i = 0; i < SIZES.length; i++) {
            Files.writeString(folder.resolve(FILES.get(i)), "a".repeat(SIZES[i]));
        }
        own(folder, part).ifPresent(command -> train(command, secrets));
        if (part == LauncherPart.PRODUCT) {
            execute(List.of("serve", "--config", proxy(folder, secrets).toString()));
        }
        for (CommandProvider provider : providers.get()) {
            provider.trainingRuns(folder, part).forEach(command -> train(command, secrets));
        }
    }

    /// Writes the configuration of a server that is a proxy for itself: for a site with the files,
    /// by a Unix-domain socket, whose address is known before it listens.
    private static Path proxy(Path folder, Path secrets) throws IOException {
        return Files.writeString(
                secrets.resolve("proxy.toml"),
                """
                [[listen]]
                address = "127.0.0.1:0"

                [[listen]]
                address = "unix:%1$s/upstream"

                [[site]]
                hosts = ["upstream"]
                files = { root = "%1$s" }

                [[site]]
                proxy = { to = ["unix:%1$s/upstream"], host = "upstream" }
                """
                        .formatted(folder));
    }

    /// The other parts have the commands of providers only.
    private static Optional<TrainingCommand> own(Path folder, LauncherPart part) {
        return switch (part) {
            case PRODUCT -> Optional.of(serving("serve", folder));
            case SERVLETS -> Optional.of(serving("run", folder));
            case LABORATORY, LABORATORY_SERVLETS, DEMO -> Optional.empty();
        };
    }

    private static TrainingCommand serving(String command, Path folder) {
        var words = List.of(command, folder.toString(), "--manage", "127.0.0.1:0");
        return new TrainingCommand(words, true);
    }

    private void train(TrainingCommand command, Path secrets) {
        var words = new ArrayList<>(command.words());
        words.addAll(List.of("--listen", "127.0.0.1:0"));
        if (command.hasTls()) {
            words.addAll(List.of("--tls", "127.0.0.1:0"));
            words.addAll(List.of("--cert", secrets.resolve("cert.pem").toString()));
            words.addAll(List.of("--key", secrets.resolve("key.pem").toString()));
        }
        execute(words);
    }

    private void execute(List<String> words) {
        var silent =
                new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        int status = executor.execute(new Terminal(silent, System.err, false), this, words);
        if (status != 0) {
            throw Failure.failed("the training run of " + String.join(" ", words) + " failed");
        }
    }

    @Override
    public void awaitStop(Server server, Runnable announce) {
        awaitClient(server, () -> process.awaitStop(server, announce));
    }

    @Override
    public void awaitStop(OperatedServer operated, Runnable announce) {
        awaitClient(operated.server(), () -> process.awaitStop(operated, announce));
    }

    /// Has the client run, and meanwhile what the process does for a server.
    private static void awaitClient(Server server, Runnable meanwhile) {
        var client = new FutureTask<@Nullable Void>(() -> request(server), null);
        var thread = Thread.ofPlatform().name("tandem-rehearsal").start(client);
        meanwhile.run();
        try {
            client.get();
            thread.join();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Failure failure ? failure : new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failure.failed("the training run was interrupted");
        }
    }

    private static void request(Server server) {
        try {
            runClient(clientArguments(server));
        } catch (IOException | URISyntaxException e) {
            throw Failure.failed("the training run has no client: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failure.failed("the training run was interrupted");
        } finally {
            server.stop(GRACE);
        }
    }

    private static List<String> clientArguments(Server server) {
        var arguments = new ArrayList<>(List.of(String.valueOf(server.port())));
        for (InetSocketAddress address : server.addresses()) {
            if (address.getPort() != server.port()) {
                arguments.add("tls:" + address.getPort());
            }
        }
        InetSocketAddress management = server.managementAddress();
        if (management != null) {
            arguments.add("management:" + management.getPort());
        }
        return arguments;
    }

    private static void runClient(List<String> arguments)
            throws IOException, URISyntaxException, InterruptedException {
        var place = TrainingClient.class.getProtectionDomain().getCodeSource().getLocation();
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(List.of("-cp", new File(place.toURI()).getPath()));
        command.add(TrainingClient.class.getName());
        command.addAll(arguments);
        Process client = new ProcessBuilder(command).inheritIO().start();
        if (!client.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
            client.destroyForcibly();
            throw Failure.failed("the training run did not end in " + TIMEOUT_SECONDS + " s");
        }
        if (client.exitValue() != 0) {
            throw Failure.failed("the training run's client failed");
        }
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (Path file : files.toList().reversed()) { // a folder after what is in it
                Files.delete(file);
            }
        }
    }
}
