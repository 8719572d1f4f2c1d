package dev.tandem.tomcat;

import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.tomcat.util.IntrospectionUtils;

/// Two more connectors of a site, Tandem's and the stock one, with the same attributes.
final class ConnectorPair implements AutoCloseable {
    static final String STOCK = "org.apache.coyote.http11.Http11NioProtocol";

    /// Headers that depend on time, or that the connectors legitimately set differently.
    private static final Set<String> IGNORED_HEADERS =
            Set.of("date", "content-length", "transfer-encoding", "keep-alive", "connection");

    final Connector tandem = new Connector(TandemProtocol.class.getName());
    final Connector stock = new Connector(STOCK);
    private final TestTomcat site;

    /// @param attributes as `name=value`, set as from `server.xml`
    ConnectorPair(TestTomcat site, List<String> attributes) {
        this.site = site;
        for (Connector each : List.of(tandem, stock)) {
            each.setPort(0);
            each.setProperty("address", "127.0.0.1");
            for (String attribute : attributes) {
                set(each, attribute);
            }
            site.tomcat.getService().addConnector(each);
        }
    }

    /// @return whether there is such an attribute; otherwise Tomcat logs a warning
    static boolean set(Connector connector, String attribute) {
        int end = attribute.indexOf('=');
        String name = attribute.substring(0, end);
        return IntrospectionUtils.setProperty(connector, name, attribute.substring(end + 1));
    }

    static RawClient client(Connector connector) throws IOException {
        return RawClient.connect(new InetSocketAddress("127.0.0.1", connector.getLocalPort()));
    }

    /// Returns status, headers and content of a connector's response, and whether it closes.
    static String response(Connector connector, String block) throws IOException {
        try (RawClient client = client(connector)) {
            client.send(block);
            boolean isHead = block.startsWith("HEAD ");
            RawResponse response = isHead ? client.responseToHead() : client.response();
            var parts = new ArrayList<String>();
            while (response.status() < 200) {
                parts.add(String.valueOf(response.status()));
                response = client.response();
            }
            parts.add(format(response));
            return String.join("\n", parts);
        }
    }

    static String format(RawResponse response) {
        Set<String> headers = new TreeSet<>();
        for (String line : response.fieldLines()) {
            String name = line.substring(0, line.indexOf(':')).toLowerCase(Locale.ROOT);
            if (!IGNORED_HEADERS.contains(name)) {
                headers.add(name + line.substring(name.length()));
            }
        }
        return response.status()
                + (response.saysClose() ? " close" : "")
                + "\n"
                + String.join("\n", headers)
                + "\n\n"
                + response.text()
                + String.join("\n", response.trailerLines());
    }

    @Override
    public void close() throws LifecycleException {
        for (Connector each : List.of(tandem, stock)) {
            site.tomcat.getService().removeConnector(each);
            each.destroy();
        }
    }
}
