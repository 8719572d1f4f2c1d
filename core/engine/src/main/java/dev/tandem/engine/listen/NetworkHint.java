package dev.tandem.engine.listen;

import dev.tandem.engine.Log;
import dev.tandem.net.Network;
import java.lang.System.Logger.Level;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/// Says once in a process what a server on Linux needs for epoll, if it uses java.nio without
/// having been asked to: nothing else would tell its user.
public final class NetworkHint {
    private static final String FALLBACK = "nio";
    private static final String BETTER = "epoll";

    /// What the JDK calls the processors that epoll's system calls are known for.
    private static final Set<String> PROCESSORS = Set.of("amd64", "x86_64", "aarch64");

    private static final AtomicBoolean IS_LOGGED = new AtomicBoolean();

    private NetworkHint() {}

    /// Logs the hint, unless there is none or it was logged.
    ///
    /// @param chosen by [Network#best()]
    public static void log(Network chosen) {
        if (!chosen.name().equals(FALLBACK) || IS_LOGGED.getAndSet(true)) {
            return;
        }
        String system = System.getProperty("os.name", "");
        String processor = System.getProperty("os.arch", "");
        boolean isChosen = !System.getProperty(Network.PROPERTY, "").isEmpty();
        if (!isChosen && system.equals("Linux") && PROCESSORS.contains(processor)) {
            Log.LOG.log(Level.INFO, hint(isInstalled()));
        }
    }

    private static boolean isInstalled() {
        return ServiceLoader.load(Network.class, Network.class.getClassLoader()).stream()
                .anyMatch(provider -> provider.get().name().equals(BETTER));
    }

    /// @param isInstalled whether the module that provides epoll is there
    static String hint(boolean isInstalled) {
        String need =
                isInstalled
                        ? "allow native access: --enable-native-access=ALL-UNNAMED, or"
                                + " Enable-Native-Access: ALL-UNNAMED in the manifest of the jar"
                                + " that is started"
                        : "add the artifact dev.tandem:tandem-net-epoll (scope runtime), and allow"
                                + " native access: --enable-native-access=ALL-UNNAMED";
        return "network: java.nio; epoll takes less processor time for each request, and sees"
                + " clients that disconnect: "
                + need
                + " (-D"
                + Network.PROPERTY
                + "="
                + FALLBACK
                + " if java.nio is meant)";
    }
}
