package dev.tandem.lab;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An application of Spring Boot with the starter: on Tandem's connector, or with the starter
/// turned off, as on stock Tomcat.
///
/// @param isStock whether Tomcat's own connector serves
/// @param jar of the unpacked application
/// @param cache the JVM's AOT cache; null for none
/// @param first path of the request that shows that it is ready
record SpringRival(boolean isStock, Path jar, @Nullable Path cache, String first) implements Rival {
    /// End of the names of those with a cache.
    static final String CACHED = " with an AOT cache";

    private static final List<String> FLAGS =
            List.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-Xmx1g");

    private static final String TURNED_OFF = "--tandem.enabled=false";

    private static final int UNPACK_SECONDS_MAX = 60;

    /// A training run requests a page 20,000 times.
    private static final int TRAIN_SECONDS_MAX = 400;

    /// Unpacks an application, and makes the two caches as documented: Tandem's by requests, and
    /// Tomcat's, as Spring Boot documents it, by a start without requests.
    ///
    /// @param folder for the unpacked application; is created
    /// @param first a page without a login
    /// @throws LabException if the jar is no such application, or a start fails; the message has
    ///     its last output
    static List<SpringRival> unpack(Path jar, Path folder, String first, Pinning pinning)
            throws LabException, InterruptedException {
        output(
                UNPACK_SECONDS_MAX,
                List.of(
                        java(),
                        "-Djarmode=tools",
                        "-jar",
                        jar.toAbsolutePath().toString(),
                        "extract",
                        "--destination",
                        folder.toString()),
                folder.resolve(jar.getFileName()));
        Path unpacked = folder.resolve(jar.getFileName());
        var ours = new SpringRival(false, unpacked, null, first);
        var stock = new SpringRival(true, unpacked, null, first);
        return List.of(
                ours,
                stock,
                ours.trained(
                        folder.resolve("tandem.aot"),
                        List.of(),
                        List.of("--tandem.training-paths=" + first),
                        pinning),
                stock.trained(
                        folder.resolve("tomcat.aot"),
                        List.of("-Dspring.context.exit=onRefresh"),
                        List.of(),
                        pinning));
    }

    private SpringRival trained(
            Path file, List<String> flags, List<String> options, Pinning pinning)
            throws LabException, InterruptedException {
        var command = new ArrayList<>(command(FreePorts.next()));
        command.add(1, "-XX:AOTCacheOutput=" + file);
        command.addAll(1, flags);
        command.addAll(options);
        output(TRAIN_SECONDS_MAX, pinning.onServer(command), file);
        return new SpringRival(isStock, jar, file, first);
    }

    /// Runs a command that makes a file.
    private static void output(int secondsMax, List<String> command, Path file)
            throws LabException, InterruptedException {
        String output = Toolbox.output(secondsMax, command);
        if (!Files.isRegularFile(file)) {
            String last = output.strip().lines().reduce("it printed nothing", (_, line) -> line);
            throw new LabException("cannot make " + file.getFileName() + ": " + last);
        }
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    @Override
    public String name() {
        String connector = isStock ? JavaRival.TOMCAT : OwnRival.TANDEM.name();
        return cache == null ? connector : connector + CACHED;
    }

    @Override
    public boolean hasCode() {
        return true;
    }

    @Override
    public String version(Toolbox tools) {
        return "an application of Spring Boot, on JDK " + Runtime.version();
    }

    @Override
    public List<String> command(RivalPlan plan, Environment environment) {
        return command(plan.port());
    }

    private List<String> command(int port) {
        var command = new ArrayList<String>();
        command.add(java());
        if (cache != null) {
            command.add("-XX:AOTCache=" + cache);
        }
        command.addAll(FLAGS);
        command.addAll(List.of("-jar", jar.toString()));
        command.addAll(List.of("--server.port=" + port, "--server.address=127.0.0.1"));
        if (isStock) {
            command.add(TURNED_OFF);
        }
        return command;
    }

    @Override
    public RunningRival start(RivalPlan plan, Environment environment)
            throws LabException, InterruptedException {
        return RunningRival.start(this, plan, environment, first);
    }
}
