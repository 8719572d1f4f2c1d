package dev.tandem.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// A load as httperf's options define it (httperf 0.9; its manual page explains them), so that the
/// papers' command lines can be used unchanged.
///
/// @param load how it is run
/// @param workload what is run
/// @param isOfSessions whether the report is about sessions
public record Httperf(Load load, Workload workload, boolean isOfSessions) {
    /// httperf retries without end; nothing here does.
    private static final int RETRIES_MAX = 100;

    private static final Map<String, String> OPTIONS = new LinkedHashMap<>();

    static {
        for (String option :
                """
                server HOST|port N|uri PATH|method M|rate X|period P|num-conns N|num-calls N|\
                burst-length N|wsess N,N,X|wsesslog N,X,FILE|wset N,X|wlog y\\|n,FILE|\
                timeout X|think-timeout X|http-version V|add-header LINES|server-name HOST|\
                max-connections N|max-piped-calls N|failure-status N|client I/N|ssl-ciphers L|\
                session-cookie|session-cookies|retry-on-failure|close-with-reset|hog|ssl|\
                ssl-no-reuse|verbose|recv-buffer N|send-buffer N|debug N|\
                print-request [=header\\|body]|print-reply [=header\\|body]\
                """
                        .split("(?<!\\\\)\\|")) {
            String[] words = option.split(" ");
            OPTIONS.put(words[0], words.length > 1 ? words[1].replace("\\", "") : "");
        }
    }

    private static final Map<String, String> ABSENT =
            Map.of("no-host-hdr", "every request names its host, as HTTP/1.1 demands");

    /// httperf's options that are not supported here, without dashes, each with the reason.
    public static Map<String, String> absent() {
        return ABSENT;
    }

    /// The options' names without dashes, and placeholders for their values; empty for those
    /// without a value.
    public static Map<String, String> options() {
        return java.util.Collections.unmodifiableMap(OPTIONS);
    }

    /// @param options by their names without dashes; flags have any value
    /// @throws IllegalArgumentException if one is not understood; names it
    public static Httperf of(Map<String, String> options) {
        return of(options, _ -> {});
    }

    /// @param lines receives the output of `--print-request`, `--print-reply` and `--debug`
    /// @throws IllegalArgumentException if one is not understood or not supported; names it
    public static Httperf of(Map<String, String> options, Consumer<String> lines) {
        for (String name : options.keySet()) {
            String why = ABSENT.get(name);
            if (why != null) {
                throw new IllegalArgumentException("--" + name + " is not here: " + why);
            }
        }
        return new Options(options, lines).read();
    }

    /// Returns httperf's own report.
    public String report(LoadReport report) {
        return new HttperfText(report, isOfSessions).text();
    }

    /// Connections or sessions of bursts of calls.
    ///
    /// @param isFirstAlone whether a burst's first call is made alone, as in sessions
    private record Bursts(String name, Plan plan, Targets targets, Call call, boolean isFirstAlone)
            implements Workload {

        @Override
        public Session begin(long number, RandomGenerator random) {
            var steps = new ArrayList<Step>();
            Duration think = Duration.ZERO;
            for (int done = 0; done < plan.calls; done += plan.burst) {
                var calls = new ArrayList<Call>();
                for (int i = done; i < Math.min(done + plan.burst, plan.calls); i++) {
                    calls.add(call(number * plan.calls + i));
                }
                if (isFirstAlone) {
                    steps.addAll(SessionLog.burst(think, calls));
                } else {
                    steps.add(Step.pipelined(think, calls));
                }
                think = plan.think;
            }
            var left = steps.iterator();
            return _ -> left.hasNext() ? left.next() : null;
        }

        private Call call(long number) {
            String target = targets.at().apply(number);
            return target.equals(call.target()) ? call : Call.of(call.method(), target);
        }
    }

    /// @param calls in each session or connection
    private record Plan(long sessions, int calls, int burst, Duration think) {}

    /// Reads the options.
    private static final class Options {
        private final Map<String, String> given;
        private final Consumer<String> lines;

        Options(Map<String, String> given, Consumer<String> lines) {
            this.given = given;
            this.lines = lines;
        }

        Httperf read() {
            boolean isLogged = has("wsesslog");
            boolean isOfSessions = isLogged || has("wsess");
            int burst = Math.max(1, whole("burst-length", 1));
            if (isLogged) {
                String[] parts = parts("wsesslog", 3);
                Duration think = seconds("wsesslog", parts[1]);
                String text = new String(bytes(parts[2]), java.nio.charset.StandardCharsets.UTF_8);
                SessionLog log = SessionLog.parse(parts[2], text, think);
                return new Httperf(load(number("wsesslog", parts[0])), log, true);
            }
            Plan plan =
                    new Plan(whole("num-conns", 1), whole("num-calls", 1), burst, Duration.ZERO);
            if (isOfSessions) {
                String[] parts = parts("wsess", 3);
                plan =
                        new Plan(
                                number("wsess", parts[0]),
                                (int) number("wsess", parts[1]),
                                burst,
                                seconds("wsess", parts[2]));
            }
            String uri = text("uri", "/");
            Call call = Call.of(text("method", "GET"), uri);
            String name = isOfSessions ? "wsess " + given.get("wsess") : call.toString();
            var workload = new Bursts(name, plan, targets(uri), call, isOfSessions);
            return new Httperf(load(plan.sessions), workload, isOfSessions);
        }

        private Load load(long sessions) {
            boolean isTls = has("ssl");
            int port = whole("port", isTls ? 443 : 80);
            Duration timeout = seconds("timeout", text("timeout", "0"));
            Duration think = seconds("think-timeout", text("think-timeout", "0"));
            Duration reply = timeout.isZero() ? timeout : timeout.plus(think);
            Load load = Load.of(Target.of(text("server", "localhost"), port, isTls));
            if (has("print-request") || has("print-reply") || whole("debug", 0) > 0) {
                boolean hasFailures = whole("debug", 0) > 0;
                load =
                        load.withTranscript(
                                new Transcript(
                                        part("print-request"),
                                        part("print-reply"),
                                        hasFailures,
                                        lines));
            }
            return load.withArrivals(arrivals(sessions))
                    .withTime(Duration.ZERO)
                    .withTimeLimits(new TimeLimits(timeout, timeout, reply))
                    .withSeed(number("client", text("client", "0/1").split("/")[0]))
                    .withClient(client());
        }

        private Transcript.Part part(String name) {
            return switch (text(name, "none")) {
                case "none" -> Transcript.Part.NOTHING;
                case "" -> Transcript.Part.ALL;
                case "header" -> Transcript.Part.HEADER;
                case "body" -> Transcript.Part.BODY;
                default -> throw wrong(name, text(name, ""));
            };
        }

        private Arrivals arrivals(long sessions) {
            if (has("period")) {
                return new Arrivals.Open(period(text("period", "")), sessions);
            }
            double rate = real("rate", text("rate", "0"));
            return rate == 0
                    ? new Arrivals.Closed(1, sessions)
                    : new Arrivals.Open(Period.fixedRate(rate), sessions);
        }

        /// `d0.1`, `e0.1`, `u0.1,0.3`, `v0.1,10,0.2,20`; the letter may be missing for `d`.
        private Period period(String text) {
            char kind = text.isEmpty() ? 'd' : text.charAt(0);
            String[] times = (Character.isLetter(kind) ? text.substring(1) : text).split(",");
            Duration first = seconds("period", times[0]);
            switch (kind) {
                case 'e' -> {
                    return new Period.Exponential(first);
                }
                case 'u' -> {
                    return new Period.Uniform(
                            first, seconds("period", times.length > 1 ? times[1] : ""));
                }
                case 'v' -> {
                    var stretches = new ArrayList<Period.Stretch>();
                    for (int i = 0; i + 1 < times.length; i += 2) {
                        stretches.add(
                                new Period.Stretch(
                                        seconds("period", times[i]),
                                        seconds("period", times[i + 1])));
                    }
                    return new Period.Trace(stretches);
                }
                default -> {
                    return new Period.Fixed(first);
                }
            }
        }

        private Client client() {
            Client client =
                    Client.DEFAULT
                            .withClosesNoticed(false)
                            .withFailingStatuses(
                                    has("failure-status")
                                            ? Set.of(whole("failure-status", 0))
                                            : Set.of())
                            .withConnectionsMax(whole("max-connections", 4))
                            .withPipelinedMax(whole("max-piped-calls", 10_000))
                            .withRetriesMax(has("retry-on-failure") ? RETRIES_MAX : 0)
                            .withResetting(has("close-with-reset"))
                            .withCookies(has("session-cookie") || has("session-cookies"))
                            .withReceiveBuffer(whole("recv-buffer", 0))
                            .withSendBuffer(whole("send-buffer", 0))
                            .withTls(tls());
            if (text("http-version", "1.1").equals("1.0")) {
                client = client.withVersion(Client.Version.HTTP_1_0);
            }
            if (has("server-name")) {
                client = client.withHeader("Host", text("server-name", ""));
            }
            for (String line : text("add-header", "").split("\\\\r\\\\n|\\\\n|\r?\n")) {
                int colon = line.indexOf(':');
                if (colon > 0) {
                    String value = line.substring(colon + 1).strip();
                    client = client.withHeader(line.substring(0, colon).strip(), value);
                } else if (!line.isBlank()) {
                    throw new IllegalArgumentException("--add-header '" + line + "' has no colon");
                }
            }
            return client;
        }

        private Tls tls() {
            Tls.Reuse reuse = has("ssl-no-reuse") ? Tls.Reuse.NONE : Tls.Reuse.SESSION;
            String ciphers = text("ssl-ciphers", "");
            List<String> list = ciphers.isEmpty() ? List.of() : List.of(ciphers.split(":"));
            return new Tls(reuse, null, List.of(), list);
        }

        private Targets targets(String uri) {
            if (has("wset")) {
                String[] parts = parts("wset", 2);
                int count = (int) number("wset", parts[0]);
                return Targets.set(uri.equals("/") ? "" : uri, count, real("wset", parts[1]));
            }
            if (has("wlog")) {
                String[] parts = parts("wlog", 2);
                return Targets.log(parts[1], bytes(parts[1]));
            }
            return Targets.one(uri);
        }

        private static byte[] bytes(String file) {
            try {
                return Files.readAllBytes(Path.of(file));
            } catch (IOException e) {
                throw new IllegalArgumentException("cannot read " + file + ": " + e, e);
            }
        }

        private boolean has(String name) {
            return given.containsKey(name);
        }

        private String text(String name, String fallback) {
            return given.getOrDefault(name, fallback);
        }

        private String[] parts(String name, int count) {
            String[] parts = text(name, "").split(",", count);
            if (parts.length != count) {
                throw wrong(name, text(name, ""));
            }
            return parts;
        }

        private int whole(String name, int fallback) {
            return has(name) ? (int) number(name, text(name, "")) : fallback;
        }

        private long number(String name, String text) {
            double value = real(name, text);
            if (value != Math.rint(value) || value > Integer.MAX_VALUE) {
                throw wrong(name, text);
            }
            return (long) value;
        }

        private double real(String name, String text) {
            try {
                double value = Double.parseDouble(text);
                if (value >= 0 && value <= 1e12) {
                    return value;
                }
            } catch (NumberFormatException _) {
                // Rejected below, as a number out of range is.
            }
            throw wrong(name, text);
        }

        private Duration seconds(String name, String text) {
            return Duration.ofNanos(Math.round(real(name, text) * 1e9));
        }

        private static IllegalArgumentException wrong(String name, String value) {
            String form = OPTIONS.getOrDefault(name, "");
            return new IllegalArgumentException(
                    "--%s must be %s, was %s"
                            .formatted(name, form.toUpperCase(Locale.ROOT), value));
        }
    }
}
