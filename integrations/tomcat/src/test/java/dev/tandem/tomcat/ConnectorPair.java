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

/// Two more connectors of a site, ours and the stock one, with the same attributes.
final class ConnectorPair implements AutoCloseable {
    static final String STOCK = "org.apache.coyote.http11.Http11NioProtocol";

    /// Fields that tell of a moment, or of a liberty that is taken otherwise.
    private static final Set<String> IGNORED_HEADERS =
            Set.of("date", "content-length", "transfer-encoding", "keep-alive", "connection");

    final Connector tandem = new Connector(TandemProtocol.class.getName());
    final Connector stock = new Connector(STOCK);
    private final TestTomcat site;

    /// @param attributes as `name=value`, set as `server.xml` has them set
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

    /// @return whether there is such an attribute; if not, Tomcat warns of it
    static boolean set(Connector connector, String attribute) {
        int end = attribute.indexOf('=');
        String name = attribute.substring(0, end);
        return IntrospectionUtils.setProperty(connector, name, attribute.substring(end + 1));
    }

    static RawClient client(Connector connector) throws IOException {
        return RawClient.connect(new InetSocketAddress("127.0.0.1", connector.getLocalPort()));
    }

    /// Status, fields and content that a connector answers with, and whether it closes.
    static String response(Connector connector, String block) throws IOException {
        try (RawClient client = client(connector)) {
            client.send(block);
            boolean isHead = block.startsWith("HEAD ");
            RawResponse response = isHead ? client.responseToHead() : client.response();
            var told = new ArrayList<String>();
            while (response.status() < 200) {
                told.add(String.valueOf(response.status()));
                response = client.response();
            }
            told.add(format(response));
            return String.join("\n", told);
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
