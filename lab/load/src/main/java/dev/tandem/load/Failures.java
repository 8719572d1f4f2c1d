package dev.tandem.load;

import dev.tandem.net.OutOfDescriptorsException;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.util.Locale;
import javax.net.ssl.SSLException;

/// Maps an exception to a call's outcome. The JDK has types for some failures only; the others it
/// reports in the C library's words, as our epoll network does.
final class Failures {
    private Failures() {}

    static Outcome outcome(IOException e) {
        String text = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
        return switch (e) {
            case OutOfDescriptorsException _ ->
                    text.contains("in the system") || text.contains("in system")
                            ? Outcome.NO_FILE
                            : Outcome.NO_DESCRIPTOR;
            case SSLException _ -> Outcome.TLS_FAILED;
            case BindException _ -> Outcome.NO_ADDRESS;
            case ConnectException _ ->
                    text.contains("timed out") ? Outcome.SOCKET_TIMEOUT : Outcome.REFUSED;
            default -> byText(text);
        };
    }

    private static Outcome byText(String text) {
        if (text.contains("reset") || text.contains("broken pipe")) {
            return Outcome.RESET;
        }
        if (text.contains("timed out")) {
            return Outcome.SOCKET_TIMEOUT;
        }
        return text.contains("refused") ? Outcome.REFUSED : Outcome.OTHER;
    }
}
