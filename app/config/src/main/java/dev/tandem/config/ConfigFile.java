package dev.tandem.config;

import dev.tandem.fleet.FleetOptions;
import dev.tandem.logs.AccessSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseResult;

/// Reads and writes configurations as TOML. Loaded only if there is a file: loading the parser
/// takes longer than loading the server.
public final class ConfigFile {
    /// Maximum size of a file: 1 MiB.
    private static final int SIZE_MAX = 1 << 20;

    /// A value long enough to be found in a message only where it is meant, such as `[::]:80`.
    private static final Pattern STRING = Pattern.compile("\"([^\"]{6,})\"");

    private static final Key<Configuration, FleetOptions> FLEET =
            new Key<>(
                    "fleet",
                    new Tables.One<>(FleetKeys.SECTION),
                    "Reports to load balancers, and how the server leaves them; takes effect at a"
                            + " start.",
                    c -> c.fleet().orElse(null),
                    Configuration::withFleet);

    private static final Key<Configuration, DatabaseSettings> DATABASE =
            new Key<>(
                    "database",
                    new Tables.One<>(DatabaseKeys.SECTION),
                    "Connections to a database that all instances of a fleet share; takes effect"
                            + " at a start.",
                    c -> c.database().orElse(null),
                    Configuration::withDatabase);

    private static final Key<Configuration, PageCacheSettings> PAGE_CACHE =
            new Key<>(
                    "page_cache",
                    new Tables.One<>(PageCacheKeys.SECTION),
                    "Keeps files compressed in memory, for sites larger than memory; takes effect"
                            + " at a start. Without this table, the kernel keeps them.",
                    c -> c.pageCache().orElse(null),
                    Configuration::withPageCache);

    /// What concerns a server whose sites are applications.
    private static final Section<Configuration> OF_APPLICATIONS =
            Section.of(Configuration.DEFAULT, List.of(FLEET, DATABASE, PAGE_CACHE));

    private static final Section<Configuration> SECTION =
            Section.of(
                            Configuration.DEFAULT,
                            List.of(
                                    new Key<>(
                                            "process",
                                            new Tables.One<>(ProcessKeys.PROCESS),
                                            "The process.",
                                            Configuration::process,
                                            Configuration::withProcess),
                                    new Key<Configuration, ManagementSettings>(
                                            "manage",
                                            new Tables.One<>(ProcessKeys.MANAGE),
                                            "The management address.",
                                            c -> c.manage().orElse(null),
                                            Configuration::withManage),
                                    FLEET,
                                    DATABASE,
                                    new Key<>(
                                            "error_log",
                                            new Tables.One<>(ProcessKeys.ERRORS),
                                            "Errors and warnings.",
                                            Configuration::errorLog,
                                            Configuration::withErrorLog),
                                    new Key<Configuration, AccessSettings>(
                                            "access_log",
                                            new Tables.One<>(ProcessKeys.ACCESS),
                                            "Requests and responses; without this table there"
                                                    + " is none.",
                                            c -> c.accessLog().orElse(null),
                                            Configuration::withAccessLog),
                                    new Key<>(
                                            "limits",
                                            new Tables.One<>(LimitKeys.SECTION),
                                            "Limits of the server; they take effect at a start.",
                                            Configuration::limits,
                                            Configuration::withLimits),
                                    PAGE_CACHE,
                                    new Key<>(
                                            "listen",
                                            new Tables.Many<>(
                                                    ListenKeys.SECTION,
                                                    l -> List.of("address " + l.address())),
                                            "A listener; without one, 127.0.0.1:8080.",
                                            Configuration::listeners,
                                            Configuration::withListeners),
                                    new Key<>(
                                            "site",
                                            new Tables.Many<>(
                                                    SiteKeys.SECTION, SiteSettings::displayNames),
                                            "A site, selected by the host of the request.",
                                            Configuration::sites,
                                            Configuration::withSites)))
                    .requiring("site");

    private ConfigFile() {}

    /// Reads a file for use: files and folders that it names must exist.
    ///
    /// @throws ConfigException with all problems
    public static Configuration read(Path file) throws ConfigException {
        String text = text(file);
        Configuration configuration = read(SECTION, file.toString(), text, System.getenv(), true);
        Optional<String> served = ServerSecrets.servedPassword(file, text, configuration);
        if (served.isPresent()) {
            throw failed(file, served.get());
        }
        return configuration;
    }

    /// Returns the control socket that a file names, whatever is wrong with the rest of it.
    ///
    /// @throws ConfigException if it cannot be read
    public static Optional<Path> control(Path file) throws ConfigException {
        var context = new ParseContext(file.toString(), new Variables(System.getenv()), false);
        TomlParseResult parsed = parsed(file.toString(), text(file));
        return SECTION.read(parsed, "", 0, context).process().control();
    }

    /// Reads a file that has only what concerns servers of applications: `[fleet]` and
    /// `[database]`.
    ///
    /// @throws ConfigException with all problems, other tables among them
    public static Configuration readForApplications(Path file) throws ConfigException {
        return read(OF_APPLICATIONS, file.toString(), text(file), System.getenv(), true);
    }

    /// Parses a text; files and folders that it names need not exist.
    ///
    /// @param name stands for the file in messages
    /// @param variables values of `${NAME}`
    /// @throws ConfigException with all problems
    public static Configuration parse(String name, String text, Map<String, String> variables)
            throws ConfigException {
        return read(SECTION, name, text, variables, false);
    }

    private static String text(Path file) throws ConfigException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(SIZE_MAX + 1); // the length of a pipe or device is unknown
            if (bytes.length > SIZE_MAX) {
                throw failed(
                        file,
                        "is larger than " + SIZE_MAX + " bytes, the maximum for a configuration");
            }
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (NoSuchFileException _) {
            throw failed(file, "does not exist");
        } catch (AccessDeniedException _) {
            throw failed(file, "may not be read by this user");
        } catch (CharacterCodingException _) {
            throw failed(file, "is not UTF-8");
        } catch (IOException e) {
            throw failed(file, "cannot be read: " + e.getMessage());
        }
    }

    private static ConfigException failed(Path file, String why) {
        return new ConfigException(List.of(new ConfigProblem(file.toString(), 0, why)));
    }

    private static Configuration read(
            Section<Configuration> section,
            String name,
            String text,
            Map<String, String> variables,
            boolean checksFiles)
            throws ConfigException {
        var context = new ParseContext(name, new Variables(variables), checksFiles);
        TomlParseResult parsed = parsed(name, text);
        for (TomlParseError error : parsed.errors()) {
            context.addProblem(error.position().line(), notToml(error));
        }
        context.throwIfInvalid(); // a partial parse would cause misleading problems
        Configuration configuration = section.read(parsed, "", 0, context);
        context.throwIfInvalid();
        return configuration;
    }

    private static String notToml(TomlParseError error) {
        return "this is not TOML: " + error.getMessage();
    }

    private static TomlParseResult parsed(String name, String text) throws ConfigException {
        try {
            return org.tomlj.Toml.parse(text);
        } catch (TomlParseError e) {
            // Thrown, not returned, for a wrong escape sequence in a table's name.
            var problem = new ConfigProblem(name, e.position().line(), notToml(e));
            throw new ConfigException(List.of(problem));
        } catch (StackOverflowError _) {
            // The parser is recursive; a running server must survive a stack overflow.
            throw failed(Path.of(name), "has tables or arrays nested too deeply");
        } catch (AssertionError _) {
            // With -ea only: otherwise the parser reports a wrong escape sequence.
            throw failed(Path.of(name), "has a string that the TOML parser cannot read");
        }
    }

    /// Writes the whole configuration as a file, including defaults. Passwords are omitted.
    public static String write(Configuration configuration) {
        var text = new StringBuilder();
        SECTION.write(configuration, "", text);
        return text.toString().stripLeading();
    }

    /// Adds the file and, if the message has a value that the file sets in one line, that line.
    ///
    /// @param message of a problem that was found when the configuration was used
    public static String located(Path file, @Nullable String message) {
        String text = String.valueOf(message);
        try {
            int line = lineOf(Files.readAllLines(file), text);
            return new ConfigProblem(file.toString(), line, text).toString();
        } catch (IOException _) {
            return new ConfigProblem(file.toString(), 0, text).toString();
        }
    }

    /// The longest: a name may be part of the path of its certificate.
    private static int lineOf(List<String> lines, String message) {
        int line = 0;
        int longest = 0;
        for (int i = 0; i < lines.size(); i++) {
            boolean isComment = lines.get(i).strip().startsWith("#");
            Matcher value = STRING.matcher(isComment ? "" : lines.get(i));
            while (value.find()) {
                int length = value.group(1).length();
                if (length > longest && message.contains(value.group(1))) {
                    longest = length;
                    line = i + 1;
                }
            }
        }
        return line;
    }

    /// Returns the path of a key of this name, such as `site.proxy`; empty if there is none.
    public static String pathOf(String name) {
        return SECTION.pathOf(name);
    }

    /// Returns a JSON Schema of the file, for editors.
    public static String schema() {
        return "{\n"
                + "  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
                + "  \"title\": \"tandem.toml\",\n  "
                + SECTION.schema("")
                + "\n}\n";
    }
}
