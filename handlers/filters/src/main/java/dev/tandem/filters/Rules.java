package dev.tandem.filters;

import dev.tandem.http.Exchange;
import dev.tandem.http.Filter;
import dev.tandem.http.Handler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Applies redirects and rewrites before all handlers: `Tandem.filter(Rules.of(…))`. A rule for
/// exactly the requested path takes precedence over rules with `/*`; among those, the first that
/// matches applies. Paths without a rule cost nothing extra. Thread safe.
public final class Rules implements Filter {
    private static final int WILDCARD_LENGTH = 1;

    private final Map<String, Rule> exactRules = new HashMap<>();
    private final List<Rule> prefixRules = new ArrayList<>();

    /// Whether a request may run the handler of another path.
    private final boolean hasRewrites;

    private Rules(List<Rule> rules) {
        hasRewrites = rules.stream().anyMatch(Rule.Rewrite.class::isInstance);
        for (Rule rule : rules) {
            if (rule.from().endsWith("/*")) {
                prefixRules.add(rule);
            } else {
                exactRules.putIfAbsent(rule.from(), rule);
            }
        }
    }

    /// @param rules in order of precedence
    public static Rules of(List<Rule> rules) {
        return new Rules(rules);
    }

    @Override
    public void apply(Exchange x, Handler next) throws Exception {
        Rule rule = find(x.path());
        boolean isGetOrHead = x.method().equals("GET") || x.method().equals("HEAD");
        switch (rule) {
            case null -> next.handle(x);
            case Rule.Redirect redirect -> redirect(x, redirect);
            case Rule.Rewrite rewrite when isGetOrHead -> x.forward(destination(x, rewrite));
            case Rule.Rewrite _ -> next.handle(x);
        }
    }

    private static void redirect(Exchange x, Rule.Redirect rule) throws IOException {
        x.status(rule.status()).header("Location", destination(x, rule)).send();
    }

    private @Nullable Rule find(String path) {
        Rule rule = exactRules.get(path);
        for (int i = 0; rule == null && i < prefixRules.size(); i++) {
            String from = prefixRules.get(i).from();
            if (path.regionMatches(0, from, 0, from.length() - WILDCARD_LENGTH)) {
                rule = prefixRules.get(i);
            }
        }
        return rule;
    }

    private static String destination(Exchange x, Rule rule) {
        String to = rule.to();
        if (to.contains("{rest}")) {
            String rest = x.path().substring(rule.from().length() - WILDCARD_LENGTH);
            to = to.replace("{rest}", encoded(rest));
        }
        String query = x.request().target().query();
        return query == null || to.contains("?") ? to : to + "?" + query;
    }

    /// Percent-encodes everything but slashes and RFC 3986's unreserved characters.
    private static String encoded(String path) {
        var text = new StringBuilder(path.length());
        for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            boolean isPlain = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
            if (isPlain || "/-._~".indexOf(c) >= 0) {
                text.append(c);
            } else {
                text.append(String.format(Locale.ROOT, "%%%02X", (int) c));
            }
        }
        return text.toString();
    }

    @Override
    public boolean isFor(String path, String pattern) {
        return find(path) != null;
    }

    /// Blocking where there are rewrites, since the handlers of their targets may block.
    @Override
    public Handler wrap(Handler handler) {
        return hasRewrites ? x -> apply(x, handler) : Filter.super.wrap(handler);
    }
}
