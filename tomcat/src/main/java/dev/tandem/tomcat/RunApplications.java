package dev.tandem.tomcat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// `tandem run [--port N] [/path=]APP...`: serves WAR files and folders until it is told to stop,
/// and begins an application anew when it has changed.
public final class RunApplications {
    /// How often it is looked whether an application has changed: 1 s.
    private static final long LOOK_MILLIS = 1000;

    /// How long it must have been left alone since: 500 ms, so that no half of a copy is read.
    private static final long QUIET_MILLIS = 500;

    private static final int PORT = 8080;
    private static final int PORT_MAX = 65_535;

    private final Map<String, Path> places = new LinkedHashMap<>();
    private final Map<String, Long> seen = new LinkedHashMap<>();
    private int port = PORT;

    private RunApplications() {}

    /// @throws IllegalArgumentException if an argument is none; says which, and what would be
    public static void main(String[] arguments) throws Exception {
        var run = new RunApplications();
        run.parse(arguments);
        run.run();
    }

    private void parse(String[] arguments) {
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i].equals("--port")) {
                port = port(i + 1 < arguments.length ? arguments[++i] : "");
            } else {
                place(arguments[i]);
            }
        }
        if (places.isEmpty()) {
            throw new IllegalArgumentException(
                    "nothing to run: give a WAR or a folder, as in tandem run shop.war");
        }
    }

    private static int port(String text) {
        try {
            int number = Integer.parseInt(text);
            if (number >= 0 && number <= PORT_MAX) {
                return number;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new IllegalArgumentException("--port must be 0.." + PORT_MAX + ", was " + text);
    }

    /// `/shop=shop.war`, or `shop.war`: the first without a path is the root, as a rule the only.
    private void place(String argument) {
        int equals = argument.startsWith("/") ? argument.indexOf('=') : -1;
        String path = equals < 0 ? "" : argument.substring(0, equals);
        Path place = Path.of(argument.substring(equals + 1));
        if (places.putIfAbsent(path.equals("/") ? "" : path, place) != null) {
            throw new IllegalArgumentException(
                    "two applications at /" + path + ": name a path, as in /shop=" + argument);
        }
    }

    private void run() throws Exception {
        var end = new CountDownLatch(1);
        var ended = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(end, ended)));
        try (var site = new Applications(port)) {
            for (Map.Entry<String, Path> each : places.entrySet()) {
                site.add(each.getKey(), each.getValue());
                seen.put(each.getKey(), Applications.changedMillis(each.getValue()));
            }
            site.start();
            System.out.println("runs " + places.size() + " application(s) at " + site.address());
            while (!end.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                look(site);
            }
        } finally {
            ended.countDown();
        }
    }

    private static void stop(CountDownLatch end, CountDownLatch ended) {
        end.countDown();
        try {
            ended.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look(Applications site) throws IOException {
        for (Map.Entry<String, Path> each : places.entrySet()) {
            long changed = Applications.changedMillis(each.getValue());
            boolean isQuiet = System.currentTimeMillis() - changed > QUIET_MILLIS;
            if (changed != seen.getOrDefault(each.getKey(), 0L) && changed != 0 && isQuiet) {
                seen.put(each.getKey(), changed);
                System.out.println(each.getValue() + " has changed: begins anew");
                site.redeploy(each.getKey());
            }
        }
    }
}
