package dev.tandem.http.h1;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A second implementation of the rules for heads: simple and slow, with regular expressions and no
/// shared code, so that the fuzzer detects differences.
final class HeadModel {
    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]";
    private static final Pattern HEAD =
            Pattern.compile(
                    "((?:\r\n){0,2})("
                            + TOKEN
                            + "{1,32}) ([!-~]+) HTTP/1\\.([0-9])\r\n((?:"
                            + TOKEN
                            + "+:[\t -~\u0080-\u00ff]*\r\n)*)\r\n");
    private static final Pattern HOST =
            Pattern.compile(
                    "(?:[A-Za-z0-9._~!$&'()*+;=-]+|"
                            + "\\[[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*\\])(?::([0-9]{0,5}))?");

    private final Http1Limits limits;

    HeadModel(Http1Limits limits) {
        this.limits = limits;
    }

    /// Returns the content of the head at the start of `wire`, if it is complete and valid.
    Optional<ParsedHead> read(String wire) {
        Matcher head = HEAD.matcher(wire);
        if (!head.lookingAt() || head.end() > limits.heads().headMax()) {
            return Optional.empty();
        }
        int line = head.end(4) - head.start(2);
        List<Field> fields = fields(head.group(5));
        int minorVersion = Math.min(1, Integer.parseInt(head.group(4)));
        boolean isValid =
                line <= limits.heads().requestLineMax()
                        && fields.size() <= limits.heads().headersMax()
                        && isHostValid(values(fields, "host"), minorVersion)
                        && isFramingValid(fields, minorVersion)
                        && values(fields, "expect").stream().allMatch(HeadModel::isContinue);
        if (!isValid) {
            return Optional.empty();
        }
        return Optional.of(
                new ParsedHead(
                        head.group(2),
                        head.group(3),
                        minorVersion,
                        head.end(),
                        values(fields, "content-length").stream()
                                .map(Long::parseLong)
                                .findFirst()
                                .orElse(-1L),
                        flags(fields, minorVersion),
                        lines(fields)));
    }

    private record Field(String name, String value) {}

    private static List<Field> fields(String lines) {
        var fields = new ArrayList<Field>();
        for (String line : lines.split("\r\n")) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                String value = line.substring(colon + 1).replaceAll("^[ \t]+|[ \t]+\\z", "");
                fields.add(new Field(line.substring(0, colon), value));
            }
        }
        return fields;
    }

    private static String lines(List<Field> fields) {
        var lines = new StringBuilder();
        fields.forEach(f -> lines.append(f.name + ": " + f.value + "\n"));
        return lines.toString();
    }

    private static List<String> values(List<Field> fields, String name) {
        return fields.stream()
                .filter(f -> f.name.equalsIgnoreCase(name))
                .map(Field::value)
                .toList();
    }

    private static boolean isHostValid(List<String> hosts, int minorVersion) {
        if (hosts.isEmpty()) {
            return minorVersion == 0;
        }
        if (hosts.getFirst().isEmpty()) {
            return hosts.size() == 1;
        }
        Matcher host = HOST.matcher(hosts.getFirst());
        if (hosts.size() > 1 || !host.matches()) {
            return false;
        }
        String port = host.group(1);
        return port == null || port.isEmpty() || Integer.parseInt(port) <= 65_535;
    }

    private static boolean isFramingValid(List<Field> fields, int minorVersion) {
        List<String> lengths = values(fields, "content-length");
        List<String> codings = values(fields, "transfer-encoding");
        return lengths.size() + codings.size() <= 1
                && lengths.stream().allMatch(v -> v.matches("[0-9]{1,18}"))
                && codings.stream().allMatch(v -> v.equalsIgnoreCase("chunked"))
                && (codings.isEmpty() || minorVersion == 1);
    }

    private static boolean isContinue(String value) {
        return value.equalsIgnoreCase("100-continue");
    }

    private static List<String> flags(List<Field> fields, int minorVersion) {
        var options = new ArrayList<String>();
        for (String value : values(fields, "connection")) {
            for (String option : value.split(",")) {
                options.add(option.replaceAll("^[ \t]+|[ \t]+\\z", "").toLowerCase(Locale.ROOT));
            }
        }
        boolean isHttp11 = minorVersion == 1;
        boolean isChunked = !values(fields, "transfer-encoding").isEmpty();
        boolean hasLength = values(fields, "content-length").stream().anyMatch(v -> !isZero(v));
        boolean hasExpect = !values(fields, "expect").isEmpty();
        boolean hasUpgrade = !values(fields, "upgrade").isEmpty();
        var flags = new ArrayList<String>();
        ParsedHead.addIf(isChunked, "chunked", flags);
        ParsedHead.addIf(isHttp11 && hasExpect && (isChunked || hasLength), "continue", flags);
        ParsedHead.addIf(
                !options.contains("close") && (isHttp11 || options.contains("keep-alive")),
                "keep-alive",
                flags);
        ParsedHead.addIf(isHttp11 && hasUpgrade && options.contains("upgrade"), "upgrade", flags);
        return flags;
    }

    private static boolean isZero(String digits) {
        return digits.matches("0+");
    }
}
