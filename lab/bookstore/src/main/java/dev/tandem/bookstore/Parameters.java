package dev.tandem.bookstore;

import dev.tandem.http.Exchange;
import dev.tandem.http.Form;
import dev.tandem.http.HttpException;
import java.io.IOException;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A request's parameters: fields of a query or a form, each checked.
final class Parameters {
    private static final int LINES_MAX = 100;

    private final Function<String, @Nullable String> first;
    private final Function<String, List<String>> all;

    private Parameters(
            Function<String, @Nullable String> first, Function<String, List<String>> all) {
        this.first = first;
        this.all = all;
    }

    /// Reads the query, and with POST the whole form.
    static Parameters of(Exchange x) throws IOException {
        if (!x.method().equals("POST")) {
            return new Parameters(x::queryParam, name -> x.request().query().all(name));
        }
        try (Form form = x.request().form()) {
            var copy = new TreeMap<String, List<String>>();
            form.names().forEach(name -> copy.put(name, List.copyOf(form.all(name))));
            return new Parameters(
                    name -> copy.containsKey(name) ? copy.get(name).getFirst() : null,
                    name -> copy.getOrDefault(name, List.of()));
        }
    }

    /// Text of any kind, cut at `most` characters; empty if it is missing.
    ///
    /// @throws HttpException 422 if there is a NUL in it
    String text(String name, int most) {
        String value = first.apply(name);
        String text = value == null ? "" : value.strip();
        if (text.indexOf('\0') >= 0) { // not allowed in any database
            throw new HttpException(422, "the field '" + name + "' has a character of no meaning");
        }
        return text.length() <= most ? text : text.substring(0, most);
    }

    /// @throws HttpException 422 if it is missing
    String required(String name, int most) {
        String text = text(name, most);
        if (text.isEmpty()) {
            throw new HttpException(422, "the field '" + name + "' is empty: fill it in, please");
        }
        return text;
    }

    boolean has(String name) {
        return !text(name, 1).isEmpty();
    }

    /// The number of a book; 0 if it is missing.
    ///
    /// @throws HttpException 404 if it is no number
    long item() {
        String text = text("item", 20);
        if (text.isEmpty()) {
            return 0;
        }
        if (!text.matches("[0-9]{1,9}")) {
            throw new HttpException(404, "there is no such book");
        }
        return Long.parseLong(text);
    }

    /// One of the given words.
    ///
    /// @throws HttpException 422 if it is another
    String oneOf(String name, List<String> words) {
        String text = text(name, 40);
        if (!words.contains(text)) {
            throw new HttpException(422, "the field '" + name + "' must be one of " + words);
        }
        return text;
    }

    LocalDate day(String name) {
        try {
            return LocalDate.parse(required(name, 10));
        } catch (DateTimeParseException e) {
            throw new HttpException(422, "the field '" + name + "' must be a day, as 1990-12-31");
        }
    }

    /// Dollars and perhaps cents, as cents.
    long price(String name) {
        String text = required(name, 12);
        if (!text.matches("[0-9]{1,6}(\\.[0-9]{2})?")) {
            throw new HttpException(422, "the field '" + name + "' must be a price, as 12.50");
        }
        String[] parts = text.split("\\.");
        return Long.parseLong(parts[0]) * 100 + (parts.length == 2 ? Long.parseLong(parts[1]) : 0);
    }

    /// The quantities of a cart's form, by item.
    Map<Long, Integer> quantities() {
        List<String> items = all.apply("line");
        List<String> quantities = all.apply("quantity");
        if (items.size() != quantities.size() || items.size() > LINES_MAX) {
            throw new HttpException(422, "each line needs its quantity, at most " + LINES_MAX);
        }
        var map = new TreeMap<Long, Integer>();
        for (int i = 0; i < items.size(); i++) {
            if (!items.get(i).matches("[0-9]{1,9}") || !quantities.get(i).matches("[0-9]{1,3}")) {
                throw new HttpException(422, "a quantity must be from 0 to " + Carts.QUANTITY_MAX);
            }
            map.put(Long.valueOf(items.get(i)), Integer.valueOf(quantities.get(i)));
        }
        return map;
    }
}
