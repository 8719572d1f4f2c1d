package dev.tandem.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// The metadata for editors lists all properties.
class MetadataTest {
    private static final Pattern NAME =
            Pattern.compile("\"name\": \"(tandem\\.[^\"]+)\",\\s+\"type\": \"[^\"]+\",\\s+\"desc");

    @Test
    void everyPropertyIsDescribed() throws IOException {
        var there = new TreeSet<String>();
        collect(TandemProperties.class, "tandem", there);
        Set<String> described =
                NAME.matcher(metadata())
                        .results()
                        .map(result -> String.valueOf(result.group(1)))
                        .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(there, described);
    }

    private static void collect(Class<?> type, String prefix, Set<String> names) {
        for (RecordComponent each : type.getRecordComponents()) {
            String name = prefix + "." + dashed(each.getName());
            if (each.getType().isRecord()) {
                collect(each.getType(), name, names);
            } else {
                names.add(name);
            }
        }
    }

    private static String dashed(String name) {
        var dashed = new StringBuilder();
        for (char c : name.toCharArray()) {
            dashed.append(Character.isUpperCase(c) ? "-" + Character.toLowerCase(c) : c);
        }
        return dashed.toString();
    }

    private static String metadata() throws IOException {
        try (InputStream in =
                MetadataTest.class.getResourceAsStream(
                        "/META-INF/spring-configuration-metadata.json")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
