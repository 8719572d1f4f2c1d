package dev.tandem.database;

import java.io.Writer;
import java.util.Locale;
import java.util.Map;
import org.thymeleaf.ITemplateEngine;
import org.thymeleaf.context.Context;

/// Templates of Thymeleaf. A map's entries are variables; any other model is the variable `model`.
public final class ThymeleafTemplates implements Templates {
    private final ITemplateEngine engine;
    private final Locale locale;

    /// @param locale of numbers and dates
    public ThymeleafTemplates(ITemplateEngine engine, Locale locale) {
        this.engine = engine;
        this.locale = locale;
    }

    @Override
    public void render(String template, Object model, Writer out) {
        var context = new Context(locale);
        if (model instanceof Map<?, ?> map) {
            map.forEach((name, value) -> context.setVariable(String.valueOf(name), value));
        } else {
            context.setVariable("model", model);
        }
        engine.process(template, context, out);
    }
}
