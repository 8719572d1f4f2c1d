package dev.tandem.http.h1;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A second implementation of the rules for chunked bodies: simple and slow, with regular
/// expressions and no shared code.
final class ChunkModel {
    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
    private static final String QUOTED =
            "\"(?:[\t !#-\\[\\]-~\u0080-\u00ff]|\\\\[\t -~\u0080-\u00ff])*\"";
    private static final Pattern SIZE =
            Pattern.compile(
                    "([0-9A-Fa-f]{1,15})((?:[ \t]*;[ \t]*T(?:[ \t]*=[ \t]*(?:T|Q))?)*)\r\n"
                            .replace("T", TOKEN)
                            .replace("Q", QUOTED));
    private static final Pattern TRAILERS =
            Pattern.compile("((?:" + TOKEN + ":[\t -~\u0080-\u00ff]*\r\n)*)\r\n");
    private static final Pattern REJECTED =
            Pattern.compile(
                    "(?i)connection|content-length|expect|host|te|trailer|transfer-encoding"
                            + "|upgrade");
    private static final Pattern DROPPED =
            Pattern.compile(
                    "(?i)accept|accept-encoding|authorization|content-type|cookie|range|user-agent"
                            + "|if-(?:match|modified-since|none-match|range|unmodified-since)");

    private final Http1Limits limits;
    private final String wire;
    private final StringBuilder content = new StringBuilder();
    private int at;
    private int extensions;

    private ChunkModel(Http1Limits limits, String wire) {
        this.limits = limits;
        this.wire = wire;
    }

    /// Returns the body at the start of `wire`, if it is complete and valid.
    static Optional<SplitInput.BodyReading> read(Http1Limits limits, String wire) {
        return new ChunkModel(limits, wire).body();
    }

    private Optional<SplitInput.BodyReading> body() {
        while (true) {
            Matcher size = SIZE.matcher(wire).region(at, wire.length());
            if (!size.lookingAt() || size.end() - 2 - at > limits.chunks().lineMax()) {
                return Optional.empty();
            }
            at = size.end();
            extensions += size.group(2).length();
            if (extensions > limits.chunks().extensionsMax()) {
                return Optional.empty();
            }
            long length = Long.parseLong(size.group(1), 16);
            if (length == 0) {
                return trailers();
            }
            if (length > wire.length() - at || !wire.startsWith("\r\n", at + (int) length)) {
                return Optional.empty();
            }
            content.append(wire, at, at + (int) length);
            at += (int) length + 2;
        }
    }

    private Optional<SplitInput.BodyReading> trailers() {
        Matcher section = TRAILERS.matcher(wire).region(at, wire.length());
        if (!section.lookingAt() || section.end() - at > limits.heads().trailersMax()) {
            return Optional.empty();
        }
        var kept = new StringBuilder();
        String[] lines =
                section.group(1).isEmpty() ? new String[0] : section.group(1).split("\r\n");
        if (lines.length > limits.heads().headersMax()) {
            return Optional.empty();
        }
        for (String line : lines) {
            String name = line.substring(0, line.indexOf(':'));
            if (REJECTED.matcher(name).matches()) {
                return Optional.empty();
            }
            String value = line.substring(name.length() + 1).replaceAll("^[ \t]+|[ \t]+\\z", "");
            kept.append(DROPPED.matcher(name).matches() ? "" : name + ": " + value + "\n");
        }
        return Optional.of(
                new SplitInput.BodyReading(
                        content.toString(), "done", kept.toString(), section.end()));
    }
}
