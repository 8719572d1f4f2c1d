package dev.tandem.database;

import gg.jte.TemplateEngine;
import gg.jte.TemplateOutput;
import gg.jte.output.WriterOutput;
import java.io.Writer;
import java.util.LinkedHashMap;
import java.util.Map;

/// Templates of JTE. A map's entries are a template's named parameters; any other model is its only
/// parameter.
public final class JteTemplates implements Templates {
    private final TemplateEngine engine;

    /// @param engine such as `TemplateEngine.createPrecompiled(null, ContentType.Html, loader)`
    public JteTemplates(TemplateEngine engine) {
        this.engine = engine;
    }

    @Override
    public void render(String template, Object model, Writer out) {
        TemplateOutput output = new WriterOutput(out);
        if (model instanceof Map<?, ?> map) {
            var named = new LinkedHashMap<String, Object>();
            map.forEach((name, value) -> named.put(String.valueOf(name), value));
            engine.render(template, named, output);
        } else {
            engine.render(template, model, output);
        }
    }
}
