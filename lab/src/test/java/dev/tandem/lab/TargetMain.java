package dev.tandem.lab;

import dev.tandem.server.Server;
import dev.tandem.server.Tandem;
import java.nio.file.Path;
import java.util.List;

/// What `tandem lab target` is, for tests that start one as a process: this room does not have the
/// command line.
final class TargetMain {
    private TargetMain() {}

    /// @param args `lab target --listen 127.0.0.1:PORT --root DIR`; or, in place of all that, a
    ///     status to end with
    public static void main(String[] args) throws Exception {
        if (args.length == 1) {
            System.err.println("cannot listen: the port is taken");
            System.exit(Integer.parseInt(args[0]));
        }
        String port = args[3].substring(args[3].lastIndexOf(':') + 1);
        try (var target = new Target(Path.of(args[5]));
                Server server =
                        target.addTo(Tandem.listen("127.0.0.1", Integer.parseInt(port))).start()) {
            Runtime.getRuntime().addShutdownHook(new Thread(server::close));
            server.join();
        }
    }

    /// How tests start it.
    static TargetCommand command() {
        return new TargetCommand(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        TargetMain.class.getName()));
    }
}
