package dev.tandem.lab;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A server with a number of threads, such as `httpd-worker-6000`.
///
/// @param threads for requests, for connections, or for loops: what the server has
record NioContender(String name, Rival rival, int threads) {
    private static final int THREADS_MAX = 16_384;
    private static final Pattern NAME = Pattern.compile("([a-z-]*[a-z])(-([0-9]{1,5}))?");
    private static final String EVENTS = OwnRival.EVENT_DRIVEN.name();

    static final String HTTPD = "httpd-worker";

    /// Threads of those that are named without a number.
    private static final Map<String, Integer> USUAL = new LinkedHashMap<>();

    static {
        USUAL.put(OwnRival.TANDEM.name(), 50);
        USUAL.put(EVENTS, 1);
        USUAL.put(HTTPD, 500);
        USUAL.put(OwnRival.MULTI_THREADED.name(), 500);
        USUAL.put(JavaRival.BLOCKING, 500);
    }

    /// Returns those that are installed, in the order of their names.
    ///
    /// @param names separated by commas
    /// @param missing gets a line for each server that is not installed
    /// @throws IllegalArgumentException if a name is malformed, or of no such server
    static List<NioContender> here(
            Setting setting, String names, Toolbox tools, List<String> missing)
            throws LabException, InterruptedException {
        var here = new ArrayList<NioContender>();
        var reasons = new ArrayList<String>();
        for (String word : new LinkedHashSet<>(List.of(names.split(",", -1)))) {
            Matcher name = NAME.matcher(word.strip());
            Integer usual = name.matches() ? USUAL.get(name.group(1)) : null;
            if (usual == null) {
                throw wrong(setting, word);
            }
            int threads = name.group(3) == null ? usual : Integer.parseInt(name.group(3));
            if (threads < 1 || threads > THREADS_MAX) {
                throw wrong(setting, word);
            }
            for (Rival rival : Rivals.here(List.of(name.group(1)), tools, reasons)) {
                boolean isEvents = rival.name().equals(EVENTS);
                Rival its = isEvents ? OwnRival.eventDriven(threads) : rival;
                here.add(new NioContender(name.group(), its, threads));
            }
        }
        missing.addAll(new LinkedHashSet<>(reasons));
        return here;
    }

    private static IllegalArgumentException wrong(Setting setting, String value) {
        String rule =
                "must be some of %s, with 1..%d threads where a number follows, such as %s-6000"
                        .formatted(String.join(",", USUAL.keySet()), THREADS_MAX, HTTPD);
        return new IllegalArgumentException(
                "--" + setting.name() + " " + rule + ", was '" + value + "'");
    }

    /// Whether a name is of a server with a thread for each connection.
    static boolean hasThreads(String name) {
        return !isTandem(name) && !isEventDriven(name);
    }

    static boolean isEventDriven(String name) {
        return name.startsWith(EVENTS);
    }

    static boolean isTandem(String name) {
        return name.startsWith(OwnRival.TANDEM.name());
    }

    /// Its settings at a site: those with a thread for each connection close idle ones.
    ///
    /// @param keepAlive their time-out in seconds, before the site's pace
    RivalSettings settings(SurgeSite site, double keepAlive) {
        RivalSettings its = RivalSettings.DEFAULT.withThreads(threads);
        return hasThreads(name)
                ? its.withKeepAlive(site.faster(keepAlive)).withShortened(true)
                : its;
    }
}
