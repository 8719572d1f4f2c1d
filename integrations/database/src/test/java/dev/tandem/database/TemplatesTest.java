package dev.tandem.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import freemarker.cache.StringTemplateLoader;
import freemarker.template.Configuration;
import freemarker.template.TemplateException;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.thymeleaf.TemplateEngine;
import org.thymeleaf.exceptions.TemplateProcessingException;
import org.thymeleaf.templatemode.TemplateMode;
import org.thymeleaf.templateresolver.StringTemplateResolver;

class TemplatesTest {
    private static final Map<String, Object> MODEL = Map.of("title", "Mice & <men>");

    private static String render(Templates templates, String name) throws Exception {
        var out = new PageWriter();
        templates.render(name, MODEL, out);
        return new String(out.utf8(), java.nio.charset.StandardCharsets.UTF_8);
    }

    @Test
    void thymeleafEscapesAndThrowsErrors() throws Exception {
        var engine = new TemplateEngine();
        var resolver = new StringTemplateResolver();
        resolver.setTemplateMode(TemplateMode.HTML);
        engine.setTemplateResolver(resolver);
        var templates = new ThymeleafTemplates(engine, Locale.ROOT);
        assertEquals(
                "<h1>Mice &amp; &lt;men&gt;</h1>",
                render(templates, "<h1 th:text=\"${title}\"></h1>"));
        assertThrows(
                TemplateProcessingException.class,
                () -> render(templates, "<h1 th:text=\"${title.missing}\"></h1>"));
    }

    @Test
    void freeMarkerEscapesAndThrowsErrors() throws Exception {
        var loader = new StringTemplateLoader();
        loader.putTemplate("page.ftlh", "<h1>${title}</h1>");
        loader.putTemplate("bad.ftlh", "<h1>${missing}</h1>");
        var configuration = new Configuration(Configuration.VERSION_2_3_34);
        configuration.setTemplateLoader(loader);
        var templates = new FreeMarkerTemplates(configuration);
        assertEquals("<h1>Mice &amp; &lt;men&gt;</h1>", render(templates, "page.ftlh"));
        assertThrows(TemplateException.class, () -> render(templates, "bad.ftlh"));
    }

    @Test
    void endlessPageIsRejected() {
        var out = new PageWriter();
        assertThrows(
                IllegalStateException.class,
                () -> {
                    for (int i = 0; i <= PageWriter.LENGTH_MAX / 1_024; i++) {
                        out.write("x".repeat(1_024));
                    }
                });
    }
}
