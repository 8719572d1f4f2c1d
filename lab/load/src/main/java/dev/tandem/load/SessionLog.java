package dev.tandem.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Sessions from a file in the format of httperf's `--wsesslog`; used in turn.
///
/// ```
/// # a comment
/// /page.html think=2.5
///     /style.css
///     /picture.png
/// /order method=POST contents='item=7&count=1'
///
/// /next/session.html
/// ```
///
/// A line begins a burst: a first call alone and then, after its response, the indented ones, all
/// at once. An empty line ends a session. `think` is the user's think time after the burst.
///
/// @param name of the file
/// @param sessions each the bursts of one session, with the think time before them
public record SessionLog(String name, List<List<Step>> sessions) implements Workload {
    /// httperf's limit.
    private static final int SESSIONS_MAX = 1_000;

    private static final Pattern WORD =
            Pattern.compile(
                    "\\G\\s*(?:(\\w+)=)?('(?:[^'\\\\]|\\\\.)*'|\"(?:[^\"\\\\]|\\\\.)*\"|\\S+)");

    @Override
    public Session begin(long number, RandomGenerator random) {
        var left = sessions.get((int) (number % sessions.size())).iterator();
        return _ -> left.hasNext() ? left.next() : null;
    }

    /// @param name of the file, for messages
    /// @param text the content
    /// @param think between bursts that do not set it themselves
    /// @throws IllegalArgumentException if a line is not understood; names file and line
    public static SessionLog parse(String name, String text, Duration think) {
        var reader = new Reader(name, think);
        String joined = text.replace("\\\r\n", "\\\n").replace("\\\n", "\\\u0000");
        int number = 0;
        for (String line : joined.split("\r?\n", -1)) {
            number++;
            reader.line(line.replace("\\\u0000", ""), number);
            number += (int) line.chars().filter(c -> c == 0).count();
        }
        reader.endSession();
        if (reader.sessions.isEmpty()) {
            throw new IllegalArgumentException(name + " has no session");
        }
        return new SessionLog(name, List.copyOf(reader.sessions));
    }

    /// Returns a burst's steps: the first call, then the others at once.
    static List<Step> burst(Duration think, List<Call> calls) {
        Step first = Step.inTurn(think, List.of(calls.getFirst()));
        return calls.size() == 1
                ? List.of(first)
                : List.of(first, Step.pipelined(Duration.ZERO, calls.subList(1, calls.size())));
    }

    /// Collects the sessions of the lines.
    private static final class Reader {
        private final String name;
        private final Duration usual;
        private final List<List<Step>> sessions = new ArrayList<>();
        private final List<Step> steps = new ArrayList<>();
        private final List<Call> calls = new ArrayList<>();
        private Duration before = Duration.ZERO;
        private Duration behind;

        Reader(String name, Duration usual) {
            this.name = name;
            this.usual = usual;
            this.behind = usual;
        }

        void line(String line, int number) {
            if (line.startsWith("#")) {
                return;
            }
            if (line.isBlank()) {
                endSession();
                return;
            }
            boolean isMore = Character.isWhitespace(line.charAt(0));
            if (isMore && calls.isEmpty()) {
                throw wrong(number, "an indented line needs one before it that is not");
            }
            if (!isMore) {
                endBurst();
            }
            try {
                calls.add(call(line.strip()));
            } catch (IllegalArgumentException e) {
                throw wrong(number, String.valueOf(e.getMessage()));
            }
        }

        private Call call(String line) {
            Matcher words = WORD.matcher(line);
            String target = "";
            String method = "";
            String contents = "";
            boolean hasContents = false;
            while (words.find()) {
                String key = words.group(1) == null || target.isEmpty() ? "" : words.group(1);
                String value = words.group(2);
                switch (key.toLowerCase(Locale.ROOT)) {
                    case "method" -> method = value;
                    case "think" -> behind = seconds(value);
                    case "contents" -> {
                        contents = unquoted(value);
                        hasContents = true;
                    }
                    default -> {
                        if (!target.isEmpty()) {
                            throw new IllegalArgumentException("not understood: " + words.group());
                        }
                        target = words.group().strip();
                    }
                }
            }
            Call call = Call.of(method.isEmpty() ? "GET" : method, target);
            return hasContents
                    ? call.withBody(contents.getBytes(java.nio.charset.StandardCharsets.UTF_8))
                    : call;
        }

        private static Duration seconds(String text) {
            try {
                return Duration.ofNanos(Math.round(Double.parseDouble(text) * 1e9));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("think needs seconds, was " + text, e);
            }
        }

        private static String unquoted(String text) {
            boolean isQuoted = text.startsWith("'") || text.startsWith("\"");
            String inside = isQuoted ? text.substring(1, text.length() - 1) : text;
            return inside.replace("\\n", "\n")
                    .replace("\\r", "\r")
                    .replace("\\t", "\t")
                    .replace("\\'", "'")
                    .replace("\\\"", "\"")
                    .replace("\\\\", "\\");
        }

        private void endBurst() {
            if (!calls.isEmpty()) {
                steps.addAll(burst(before, calls));
                calls.clear();
                before = behind;
            }
            behind = usual;
        }

        private void endSession() {
            endBurst();
            before = Duration.ZERO;
            if (!steps.isEmpty()) {
                if (sessions.size() == SESSIONS_MAX) {
                    throw new IllegalArgumentException(
                            name + " has more than " + SESSIONS_MAX + " sessions");
                }
                sessions.add(List.copyOf(steps));
                steps.clear();
            }
        }

        private IllegalArgumentException wrong(int number, String what) {
            return new IllegalArgumentException(name + ", line " + number + ": " + what);
        }
    }
}
