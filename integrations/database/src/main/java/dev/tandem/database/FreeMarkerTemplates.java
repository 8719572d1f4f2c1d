package dev.tandem.database;

import freemarker.template.Configuration;
import freemarker.template.TemplateException;
import freemarker.template.TemplateExceptionHandler;
import java.io.IOException;
import java.io.Writer;

/// Templates of Apache FreeMarker, with the model as data model.
public final class FreeMarkerTemplates implements Templates {
    private final Configuration configuration;

    /// @param configuration is changed so that a template's failure appears in the log only
    public FreeMarkerTemplates(Configuration configuration) {
        configuration.setTemplateExceptionHandler(TemplateExceptionHandler.RETHROW_HANDLER);
        configuration.setLogTemplateExceptions(false);
        this.configuration = configuration;
    }

    @Override
    public void render(String template, Object model, Writer out)
            throws IOException, TemplateException {
        configuration.getTemplate(template).process(model, out);
    }
}
