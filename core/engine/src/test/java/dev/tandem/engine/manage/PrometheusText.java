package dev.tandem.engine.manage;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads Prometheus' text format 0.0.4 by its rules, and fails on violations: names, escapes, one
/// TYPE before the samples of a metric, no metric twice, no sample twice, histograms that are
/// cumulative and end with `+Inf`, a line feed at the end.
public final class PrometheusText {
    private static final Pattern SAMPLE =
            Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)\\})? ([^ ]+)");
    private static final Pattern LABEL =
            Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\n]|\\\\[\\\\\"n])*)\"(,|$)");

    private static final Pattern ESCAPE = Pattern.compile("\\\\(.)");

    private final Map<String, String> types = new LinkedHashMap<>();
    private final Map<String, Double> samples = new LinkedHashMap<>();
    private final List<Map<String, String>> labels = new ArrayList<>();
    private final HashSet<String> over = new HashSet<>();
    private String current = "";

    /// @throws AssertionError naming the line that breaks a rule
    public static PrometheusText read(String text) {
        var read = new PrometheusText();
        check(text.endsWith("\n"), "the end");
        for (String line : text.substring(0, text.length() - 1).split("\n", -1)) {
            if (line.startsWith("# ")) {
                read.comment(line);
            } else {
                read.sample(line);
            }
        }
        read.checkHistograms();
        return read;
    }

    /// The sum over all samples of that name whose labels contain these, as `name="value"`.
    public double value(String name, String... wanted) {
        double sum = Double.NaN;
        for (var sample : samples.entrySet()) {
            String key = sample.getKey();
            boolean isNamed = key.equals(name) || key.startsWith(name + "{");
            if (isNamed && List.of(wanted).stream().allMatch(key::contains)) {
                sum = (Double.isNaN(sum) ? 0 : sum) + sample.getValue();
            }
        }
        check(!Double.isNaN(sum), "no sample " + name + List.of(wanted));
        return sum;
    }

    /// All values of a label, unescaped.
    List<String> labels(String name) {
        return labels.stream().map(l -> l.get(name)).filter(Objects::nonNull).distinct().toList();
    }

    private void comment(String line) {
        String[] words = line.split(" ", 4);
        check(words.length == 4, line);
        if (words[1].equals("HELP")) {
            over.add(current);
            current = words[2];
            check(!over.contains(current), line);
        } else {
            check(words[1].equals("TYPE") && words[2].equals(current), line);
            check(List.of("counter", "gauge", "histogram").contains(words[3]), line);
            check(types.put(words[2], words[3]) == null, line);
        }
    }

    private void sample(String line) {
        Matcher matcher = SAMPLE.matcher(line);
        check(matcher.matches(), line);
        String name = matcher.group(1);
        boolean isOfHistogram = "histogram".equals(types.get(current));
        check(isOfHistogram ? name.startsWith(current + "_") : name.equals(current), line);
        if (matcher.group(2) != null) {
            labels.add(labelsOf(matcher.group(2), line));
        }
        String key = line.substring(0, line.lastIndexOf(' '));
        check(samples.put(key, Double.valueOf(matcher.group(3))) == null, line);
    }

    private static Map<String, String> labelsOf(String text, String line) {
        var read = new HashMap<String, String>();
        Matcher matcher = LABEL.matcher(text);
        int at = 0;
        while (at < text.length()) {
            check(matcher.find(at) && matcher.start() == at, line);
            String value =
                    ESCAPE.matcher(matcher.group(2))
                            .replaceAll(
                                    found ->
                                            Matcher.quoteReplacement(
                                                    found.group(1).replace('n', '\n')));
            check(read.put(matcher.group(1), value) == null, line);
            at = matcher.end();
        }
        return read;
    }

    private void checkHistograms() {
        var last = new HashMap<String, Double>();
        for (var sample : samples.entrySet()) {
            String key = sample.getKey();
            String series = key.replaceFirst(",?le=\"[^\"]*\"", "").replace("{}", "");
            if (key.contains("le=\"")) {
                Double before = last.put(series, sample.getValue());
                check(before == null || before <= sample.getValue(), key);
            }
            if (key.contains("le=\"+Inf\"")) {
                String count = series.replaceFirst("_bucket", "_count");
                check(sample.getValue().equals(samples.get(count)), key);
                check(samples.containsKey(series.replaceFirst("_bucket", "_sum")), key);
            }
        }
        check(last.size() > 0, "no histogram");
    }

    private static void check(boolean holds, String line) {
        if (!holds) {
            throw new AssertionError("against the format: " + line);
        }
    }
}
