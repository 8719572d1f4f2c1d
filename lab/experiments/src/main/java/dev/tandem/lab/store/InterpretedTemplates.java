package dev.tandem.lab.store;

import dev.tandem.bookstore.Prices;
import dev.tandem.database.FreeMarkerTemplates;
import dev.tandem.database.Templates;
import freemarker.cache.StringTemplateLoader;
import freemarker.template.Configuration;
import freemarker.template.TemplateMethodModelEx;
import freemarker.template.TemplateNumberModel;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// The store's templates for an engine that interprets them, as the paper's did: the same pages as
/// the compiled ones, by Apache FreeMarker.
final class InterpretedTemplates {
    private static final List<String> NAMES =
            List.of(
                    "admin",
                    "administered",
                    "books",
                    "bought",
                    "buy",
                    "cart",
                    "detail",
                    "home",
                    "inquiry",
                    "layout",
                    "order",
                    "registration",
                    "search",
                    "sorry");

    private InterpretedTemplates() {}

    /// Returns them, by the names of the compiled ones.
    static Templates load() {
        var sources = new StringTemplateLoader();
        for (String name : NAMES) {
            sources.putTemplate(name + ".ftlh", source(name + ".ftlh"));
        }
        var configuration = new Configuration(Configuration.VERSION_2_3_34);
        configuration.setTemplateLoader(sources);
        configuration.setLocalizedLookup(false);
        configuration.setNumberFormat("computer");
        configuration.addAutoImport("folio", "layout.ftlh");
        TemplateMethodModelEx price =
                arguments -> {
                    var cents = (TemplateNumberModel) arguments.get(0);
                    return Prices.text(cents.getAsNumber().longValue());
                };
        configuration.setSharedVariable("price", price);
        var templates = new FreeMarkerTemplates(configuration);
        return (name, model, out) -> templates.render(name.replace(".jte", ".ftlh"), model, out);
    }

    private static String source(String name) {
        try (InputStream in = InterpretedTemplates.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is not in the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
