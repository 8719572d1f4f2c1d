package dev.tandem.cgi;

import dev.tandem.http.Exchange;
import dev.tandem.http.Headers;
import dev.tandem.http.Request;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Builds a program's environment: the meta-variables of RFC 3875, section 4.1, and those of the
/// options, nothing else. Immutable and thread safe.
///
/// In addition to the RFC's, there are four variables that programs rely on: `REQUEST_URI` (the
/// target as it was sent, with a resolved path where there were dot segments or two slashes),
/// `SCRIPT_FILENAME`, `REMOTE_PORT`, and `HTTPS=on` over TLS. `AUTH_TYPE`,
/// `REMOTE_USER` and `REMOTE_IDENT` are never set: the server authenticates no users here.
///
/// Each character of a value stands for one byte: request headers may contain any bytes, and
/// programs get them unchanged.
public final class Environment {
    static final String SOFTWARE = "Tandem";

    /// Headers that programs do not get: those of the connection, those that have variables of
    /// their own, `Proxy`, because many libraries read `HTTP_PROXY` as the address of a proxy to
    /// use (CVE-2016-5385 and related), and `X-Original-URL` and `X-Rewrite-URL`, because some
    /// frameworks take them for the path (CVE-2018-14773), which filters have not seen.
    private static final Set<String> DROPPED =
            Set.of(
                    "connection",
                    "content-length",
                    "content-type",
                    "expect",
                    "keep-alive",
                    "proxy",
                    "proxy-authorization",
                    "proxy-connection",
                    "te",
                    "trailer",
                    "transfer-encoding",
                    "upgrade",
                    "x-original-url",
                    "x-rewrite-url");

    /// This end of a Unix-domain socket.
    private static final String LOOPBACK = "127.0.0.1";

    /// A client of a Unix-domain socket, perhaps a proxy. Programs trust clients at the loopback
    /// address, so it has one that belongs to no machine (RFC 7600).
    private static final String NO_MACHINE = "192.0.0.8";

    /// The search path if the server has no `PATH`.
    private static final String PATH = "/usr/local/bin:/usr/bin:/bin";

    private final Map<String, String> fixed = new LinkedHashMap<>();
    private final @Nullable Path documentRoot;
    private final boolean isPassingAuthorization;

    /// @param serverEnvironment the environment of this process
    public Environment(CgiOptions options, Map<String, String> serverEnvironment) {
        for (String name : options.inherited()) {
            String value =
                    name.equals("PATH")
                            ? serverEnvironment.getOrDefault(name, PATH)
                            : serverEnvironment.get(name);
            if (value != null) {
                fixed.put(name, bytes(value));
            }
        }
        options.variables().forEach((name, value) -> fixed.put(name, bytes(value)));
        this.documentRoot = options.documentRoot();
        this.isPassingAuthorization = options.isPassingAuthorization();
    }

    /// @param length of the body in bytes; 0 if there is none
    /// @return each as `NAME=value`
    List<String> variables(Exchange x, ScriptLookup.Script script, long length) {
        return variables(x, script.file(), script.pathInfo(), length);
    }

    /// @param file the program
    /// @param pathInfo the part of the path behind the program, or empty
    /// @param length of the body in bytes; 0 if there is none
    /// @return each as `NAME=value`
    public List<String> variables(Exchange x, Path file, String pathInfo, long length) {
        var variables = new LinkedHashMap<>(fixed);
        addHeaders(variables, x.request().headers());
        addRequest(variables, x.request(), length);
        addScript(variables, x, file, pathInfo);
        addAddresses(variables, x.request());
        var all = new ArrayList<String>(variables.size());
        variables.forEach((name, value) -> all.add(name + "=" + value.replace("\0", "")));
        return all;
    }

    /// Section 4.1.18. A header whose name has other characters than letters, digits and hyphens is
    /// dropped: `X_Y` would become the same variable as `X-Y`, which a proxy in front of this
    /// server may have checked. So is one whose variable the options set.
    private void addHeaders(Map<String, String> to, Headers headers) {
        for (int i = 0; i < headers.size(); i++) {
            String key = headers.name(i).toLowerCase(Locale.ROOT);
            boolean isSecret = key.equals("authorization") && !isPassingAuthorization;
            if (!DROPPED.contains(key) && !isSecret && isPlain(key)) {
                String name = "HTTP_" + key.toUpperCase(Locale.ROOT).replace('-', '_');
                String between = key.equals("cookie") ? "; " : ", ";
                if (!fixed.containsKey(name)) {
                    to.merge(name, headers.value(i), (a, b) -> a + between + b);
                }
            }
        }
    }

    private static boolean isPlain(String name) {
        return name.chars().allMatch(c -> c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-');
    }

    private static void addRequest(Map<String, String> to, Request request, long length) {
        String type = request.headers().first("Content-Type");
        if (request.contentLength() != 0) {
            to.put("CONTENT_LENGTH", Long.toString(length));
        }
        if (type != null) {
            to.put("CONTENT_TYPE", type);
        }
        String query = request.target().query();
        to.put("GATEWAY_INTERFACE", "CGI/1.1");
        to.put("QUERY_STRING", query == null ? "" : bytes(query));
        to.put("REQUEST_METHOD", request.method());
        to.put("REQUEST_URI", bytes(RequestUri.of(request.target())));
        to.put("SERVER_PROTOCOL", request.version().protocol());
        to.put("SERVER_SOFTWARE", SOFTWARE);
        if (request.isSecure()) {
            to.put("HTTPS", "on");
        }
    }

    private void addScript(Map<String, String> to, Exchange x, Path file, String info) {
        String path = x.path();
        to.put("SCRIPT_NAME", bytes(path.substring(0, path.length() - info.length())));
        to.put("SCRIPT_FILENAME", bytes(file.toString()));
        if (!info.isEmpty()) {
            to.put("PATH_INFO", bytes(info));
            if (documentRoot != null) {
                to.put("PATH_TRANSLATED", bytes(documentRoot.toAbsolutePath() + info));
            }
        }
    }

    private static void addAddresses(Map<String, String> to, Request request) {
        String host = request.target().authority();
        if (host == null) {
            host = request.headers().first("Host");
        }
        String localRedirect = address(request.localAddress(), LOOPBACK);
        boolean isIpv6 = localRedirect.indexOf(':') >= 0;
        String name = host == null || host.isEmpty() ? "" : withoutPort(host);
        to.put(
                "SERVER_NAME",
                name.isEmpty() ? isIpv6 ? "[" + localRedirect + "]" : localRedirect : name);
        to.put("SERVER_PORT", Integer.toString(port(request.localAddress())));
        String remote = address(request.remoteAddress(), NO_MACHINE);
        to.put("REMOTE_ADDR", remote);
        to.put("REMOTE_HOST", remote); // section 4.1.9; names are not looked up, which is slow
        to.put("REMOTE_PORT", Integer.toString(port(request.remoteAddress())));
    }

    private static String withoutPort(String host) {
        int colon = host.lastIndexOf(':');
        return colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
    }

    /// @param without returned for a Unix-domain socket
    private static String address(SocketAddress end, String without) {
        InetAddress address = end instanceof InetSocketAddress inet ? inet.getAddress() : null;
        if (address == null) {
            return without;
        }
        String text = address.getHostAddress();
        int scope = text.indexOf('%');
        return scope < 0 ? text : text.substring(0, scope);
    }

    private static int port(SocketAddress end) {
        return end instanceof InetSocketAddress inet ? inet.getPort() : 0;
    }

    /// Returns the UTF-8 bytes of the text, one character for each.
    private static String bytes(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }
}
