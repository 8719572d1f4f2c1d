package dev.tandem.grpc;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.AssumptionViolatedException;

/// Runs all cases on servers with Tandem's connector and on others, and prints a table.
final class InteropReport {
    private InteropReport() {}

    private static Map<String, Callable<InteropServer>> servers() {
        var servers = new LinkedHashMap<String, Callable<InteropServer>>();
        servers.put("Tandem in Tomcat", () -> new TomcatServer(TomcatServer.TANDEM, 0));
        servers.put("Tandem in Spring Boot", () -> new SpringServer(true, 0));
        servers.put("stock Tomcat", () -> new TomcatServer(TomcatServer.STOCK, 0));
        servers.put("stock Spring Boot", () -> new SpringServer(false, 0));
        servers.put("grpc-netty", () -> new NettyServer(0));
        return servers;
    }

    public static void main(String[] args) throws Exception {
        Logger.getLogger("").setLevel(Level.OFF); // stock's stack traces of cases that fail
        List<InteropCase> cases = InteropCase.all();
        var columns = new LinkedHashMap<String, List<String>>();
        for (Map.Entry<String, Callable<InteropServer>> each : servers().entrySet()) {
            columns.put(each.getKey(), run(each.getKey(), each.getValue(), cases));
        }
        System.out.println("| case | " + String.join(" | ", columns.keySet()) + " |");
        System.out.println("|---|" + "---|".repeat(columns.size()));
        for (int i = 0; i < cases.size(); i++) {
            var row = new StringBuilder("| `" + cases.get(i).name() + "` |");
            for (List<String> column : columns.values()) {
                row.append(' ').append(column.get(i)).append(" |");
            }
            System.out.println(row);
        }
        System.exit(0); // threads of cases that do not end
    }

    private static List<String> run(
            String name, Callable<InteropServer> start, List<InteropCase> cases) throws Exception {
        var results = new ArrayList<String>();
        try (InteropServer server = start.call()) {
            for (InteropCase each : cases) {
                results.add(run(name, server, each));
            }
        }
        return results;
    }

    private static String run(String name, InteropServer server, InteropCase testCase) {
        try {
            testCase.run(server);
            return "passes";
        } catch (AssumptionViolatedException e) {
            return "–";
        } catch (Throwable e) {
            System.err.println(name + ", " + testCase.name() + ": " + e);
            return "**fails**";
        }
    }
}
