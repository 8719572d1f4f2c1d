package dev.tandem.cli;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/// Asks a server's management address.
///
/// @param server where
/// @param token empty if there is none
record ManagementClient(Listen server, String token) {
    /// 5 s: a server that lives answers at once.
    private static final int PATIENCE_MILLIS = 5_000;

    /// 64 KiB: what it says is a line.
    private static final int BYTES_MAX = 65_536;

    /// What is done with an answer.
    @FunctionalInterface
    private interface Reading<T> {
        T read(InputStream in) throws IOException;
    }

    /// @throws Failure if it does not answer, or refuses; says why
    String get(String path) {
        return asked("GET", path, ManagementClient::text);
    }

    /// @throws Failure if it does not answer, or refuses; says why
    void post(String path) {
        asked("POST", path, ManagementClient::text);
    }

    /// @throws Failure if it does not answer, refuses, or the file cannot be written
    void download(String path, Path file) {
        asked("GET", path, in -> Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING));
    }

    private static String text(InputStream in) throws IOException {
        return new String(in.readNBytes(BYTES_MAX), StandardCharsets.UTF_8)
                .replaceAll("[\\p{Cntrl}\\x80-\\x9f]+", " ")
                .strip();
    }

    private <T> T asked(String method, String path, Reading<T> reading) {
        try {
            var url = new URI("http", null, server.host(), server.port(), path, null, null);
            var connection = (HttpURLConnection) url.toURL().openConnection(Proxy.NO_PROXY);
            connection.setRequestMethod(method);
            connection.setConnectTimeout(PATIENCE_MILLIS);
            connection.setReadTimeout(PATIENCE_MILLIS);
            connection.setInstanceFollowRedirects(false);
            if (!token.isEmpty()) {
                connection.setRequestProperty("Authorization", "Bearer " + token);
            }
            int status = connection.getResponseCode();
            if (status / 100 != 2) {
                throw refused(status, connection);
            }
            try (InputStream in = connection.getInputStream()) {
                return reading.read(in);
            }
        } catch (ConnectException e) {
            throw Failure.failed(
                    "nothing listens at " + server + "; start the server with --manage " + server);
        } catch (SocketTimeoutException e) {
            throw Failure.failed(
                    server + " did not answer within " + PATIENCE_MILLIS / 1_000 + " s");
        } catch (IOException | URISyntaxException | IllegalArgumentException e) {
            throw Failure.failed("cannot ask " + server + ": " + e.getMessage());
        }
    }

    private Failure refused(int status, HttpURLConnection connection) throws IOException {
        if (status == 401) {
            return Failure.failed(server + " wants its token: --token FILE");
        }
        try (InputStream in = connection.getErrorStream()) {
            String why = in == null ? "" : text(in);
            return Failure.failed(server + " refuses: " + (why.isEmpty() ? status : why));
        }
    }
}
