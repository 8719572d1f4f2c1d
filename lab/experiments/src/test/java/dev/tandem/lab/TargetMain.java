package dev.tandem.lab;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.cli.Main;
import dev.tandem.tls.CertificateFiles;
import dev.tandem.tls.TlsSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// `tandem serve`, and `tandem lab target` and `tandem lab rival` for tests that start one as a
/// process: this module does not have these commands.
final class TargetMain {
    private TargetMain() {}

    /// @param args as on the command line; or a single exit status
    public static void main(String[] args) throws Exception {
        if (args.length == 1) {
            System.err.println("cannot listen: the port is taken");
            System.exit(Integer.parseInt(args[0]));
        }
        List<String> words = List.of(args);
        if (args[0].equals("serve")) {
            Main.main(args);
            return;
        }
        Path root = Path.of(value(words, "--root"));
        if (words.contains("multi-threaded")) {
            String millis = value(words, "--keep-alive").replace("ms", "");
            var target =
                    RivalTarget.multiThreaded(
                            root,
                            Integer.parseInt(value(words, "--threads")),
                            Duration.ofMillis(Long.parseLong(millis)),
                            value(words, "--coyote-rule").equals("yes"));
            serve(words, target);
        } else if (words.contains("event-driven")) {
            int loops = Integer.parseInt(value(words, "--loops"));
            serve(words, RivalTarget.eventDriven(root, loops));
        } else {
            try (var target = new Target(root)) {
                Tandem tandem = listen(words);
                if (words.contains("--manage")) {
                    tandem.manage("127.0.0.1", port(words, "--manage")).manageTraces();
                }
                run(target.addTo(tandem));
            }
        }
    }

    private static String value(List<String> words, String option) {
        return words.get(words.indexOf(option) + 1);
    }

    private static Tandem listen(List<String> words) {
        Tandem tandem = Tandem.listen("127.0.0.1", port(words, "--listen"));
        if (words.contains("--tls")) {
            Path chain = Path.of(value(words, "--cert"));
            Path key = Path.of(value(words, "--key"));
            tandem.andListen("127.0.0.1", port(words, "--tls"))
                    .tls(TlsSettings.of(CertificateFiles.pem(chain, key)));
        }
        return tandem;
    }

    private static int port(List<String> words, String option) {
        String address = value(words, option);
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    private static void serve(List<String> words, RivalTarget made) throws Exception {
        try (RivalTarget target = words.contains("--tls") ? made.withTls() : made) {
            run(target.addTo(listen(words)));
            System.out.println(RivalTarget.STATS_MARK + target.stats());
        }
    }

    private static void run(Tandem tandem) throws Exception {
        Thread main = Thread.currentThread();
        try (Server server = tandem.start()) {
            Runtime.getRuntime()
                    .addShutdownHook(
                            new Thread(
                                    () -> {
                                        server.stop(Duration.ofSeconds(10));
                                        await(main);
                                    }));
            server.join();
        }
    }

    private static void await(Thread main) {
        try {
            main.join(Duration.ofSeconds(2));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Returns the command with which tests start it.
    static TargetCommand command() {
        return new TargetCommand(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        TargetMain.class.getName()));
    }
}
