package dev.tandem.withers;

import java.io.IOException;
import java.io.Writer;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.annotation.processing.SupportedAnnotationTypes;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.RecordComponentElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import javax.tools.Diagnostic;

/// Generates the methods that return a copy of a record with one component replaced.
///
/// `record Limits(long bodyMax) implements LimitsWith` requests them: the processor generates the
/// interface `LimitsWith` in the record's package, visible in it only. Its methods, which the
/// record inherits, call the record's constructor, so that its checks apply. They are documented by
/// the component's `@param`.
///
/// | component | methods |
/// |---|---|
/// | `long bodyMax` | `withBodyMax(long bodyMax)` |
/// | `boolean isLenient` | `withLenient(boolean isLenient)` |
/// | `Optional<Path> file` | `withFile(Optional<Path> file)`, `withFile(Path file)` |
/// | `Limits limits` | `withLimits(Limits limits)`, `withLimits(UnaryOperator<Limits> change)` |
@SupportedAnnotationTypes("*")
public final class WithersProcessor extends AbstractProcessor {
    private static final String SUFFIX = "With";

    /// `isLenient` becomes `withLenient`, `hasCookies` `withCookies`.
    private static final Pattern VERB = Pattern.compile("^(is|are|has|uses|allows)(?=[A-Z])");

    /// In a comment, a link to a type or member, which may not resolve in another file.
    private static final Pattern LINK = Pattern.compile("\\[#?([^\\]\\[]+)\\]");

    private static final String METHOD =
            """

                /// Returns a copy with another `%2$s`%3$s
                default %1$s %4$s(%5$s) {
                    var self = (%1$s) this;
                    return %6$s;
                }
            """;

    @Override
    public SourceVersion getSupportedSourceVersion() {
        return SourceVersion.latest();
    }

    @Override
    public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
        ElementFilter.typesIn(round.getRootElements()).forEach(this::generateBelow);
        return false;
    }

    private void generateBelow(TypeElement type) {
        if (hasWithers(type)) {
            generate(type);
        }
        ElementFilter.typesIn(type.getEnclosedElements()).forEach(this::generateBelow);
    }

    private static boolean hasWithers(Element type) {
        String name = type.getSimpleName() + SUFFIX;
        return type.getKind() == ElementKind.RECORD
                && ((TypeElement) type)
                        .getInterfaces().stream()
                                .map(implemented -> ((DeclaredType) implemented).asElement())
                                .anyMatch(
                                        implemented ->
                                                implemented.getSimpleName().contentEquals(name));
    }

    private void generate(TypeElement type) {
        String name = type.getSimpleName() + SUFFIX;
        var home = processingEnv.getElementUtils().getPackageOf(type).getQualifiedName();
        try (Writer out =
                processingEnv.getFiler().createSourceFile(home + "." + name, type).openWriter()) {
            out.write("package %s;\n\n".formatted(home));
            out.write("/// Copies of a record with one component replaced.\n");
            out.write("sealed interface %s permits %s {\n".formatted(name, type));
            for (RecordComponentElement component : type.getRecordComponents()) {
                out.write(withers(type, component));
            }
            out.write("}\n");
        } catch (IOException e) {
            processingEnv.getMessager().printMessage(Diagnostic.Kind.ERROR, e.toString(), type);
        }
    }

    private String withers(TypeElement type, RecordComponentElement component) {
        String name = component.getSimpleName().toString();
        String noun = VERB.matcher(name).replaceFirst("");
        String method = "with" + noun.substring(0, 1).toUpperCase(Locale.ROOT) + noun.substring(1);
        TypeMirror value = component.asType();
        String copy =
                type.getRecordComponents().stream()
                        .map(c -> c == component ? name : "self." + c.getSimpleName() + "()")
                        .collect(Collectors.joining(", ", "new " + type + "(", ")"));
        String text = text(type, name);
        String all = METHOD.formatted(type, name, text, method, value + " " + name, copy);
        if (!(value instanceof DeclaredType declared)) {
            return all;
        }
        if (declared.asElement().getSimpleName().contentEquals("Optional")) {
            String content = declared.getTypeArguments().getFirst() + " " + name;
            String present = "self." + method + "(java.util.Optional.of(" + name + "))";
            all += METHOD.formatted(type, name, text, method, content, present);
        }
        if (hasWithers(declared.asElement())) {
            String change = "java.util.function.UnaryOperator<" + value + "> change";
            String changed = "self." + method + "(change.apply(self." + name + "()))";
            all += METHOD.formatted(type, name, text, method, change, changed);
        }
        return all;
    }

    /// Returns what the record's documentation says about a component.
    private String text(TypeElement type, String component) {
        String doc = processingEnv.getElementUtils().getDocComment(type);
        Matcher found =
                Pattern.compile("(?ms)^ *@param +" + component + "\\s+(.*?)(?=^ *@|\\z)")
                        .matcher(doc == null ? "" : doc);
        if (!found.find()) {
            return ".";
        }
        String text = LINK.matcher(found.group(1).strip()).replaceAll("`$1`");
        return ": " + text.replaceAll("\\s+", " ") + ".";
    }
}
