package dev.tandem.config;

import dev.tandem.logs.AccessFormat;
import dev.tandem.logs.AccessSettings;
import dev.tandem.logs.LogField;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/// `[process]`, `[manage]`, `[error_log]` and `[access_log]`.
final class ProcessKeys {
    private static final ValueType<Level> LEVEL =
            ValueType.text(
                    "one of debug, info, warning, error, off",
                    ProcessKeys::level,
                    level -> level.name().toLowerCase(Locale.ROOT));

    private static final ValueType<Address> MANAGED =
            ValueType.text(
                    "ADDR:PORT such as 127.0.0.1:8090, or unix:/PATH",
                    text -> {
                        Address address = Address.parse(text);
                        if (address instanceof Address.Inherited) {
                            throw new IllegalArgumentException(
                                    "the management address cannot be inherited");
                        }
                        return address;
                    },
                    Address::toString);

    private static final ValueType<List<LogField>> FIELDS =
            ValueType.list(ValueType.text("the name of a field", LogField::of, LogField::name));

    static final Section<ProcessSettings> PROCESS =
            Section.of(
                    ProcessSettings.DEFAULT,
                    List.of(
                            new Key<ProcessSettings, Path>(
                                    "control",
                                    ValueTypes.PATH,
                                    "A Unix-domain socket for commands to reload, to stop and to"
                                            + " hand over.",
                                    p -> p.control().orElse(null),
                                    ProcessSettings::withControl),
                            new Key<ProcessSettings, Path>(
                                    "pid_file",
                                    ValueTypes.PATH,
                                    "The file for the process id.",
                                    p -> p.pidFile().orElse(null),
                                    ProcessSettings::withPidFile)));

    static final Section<ManagementSettings> MANAGE =
            Section.of(
                            ManagementSettings.at(new Address.Inet("127.0.0.1", 0)),
                            List.of(
                                    new Key<ManagementSettings, Address>(
                                            "address",
                                            MANAGED,
                                            "Where /health, /ready, /explain, /metrics and the"
                                                    + " console are; a Unix-domain socket is for"
                                                    + " the server's own user only.",
                                            ManagementSettings::address,
                                            ManagementSettings::withAddress),
                                    new Key<ManagementSettings, Boolean>(
                                            "open",
                                            ValueTypes.FLAG,
                                            "Lets other machines reach that address.",
                                            ManagementSettings::isOpen,
                                            ManagementSettings::withOpen),
                                    new Key<ManagementSettings, Path>(
                                            "token_file",
                                            ValueTypes.PATH,
                                            "Its first line is the token required from clients;"
                                                    + " with it the console is available.",
                                            m -> m.tokenFile().orElse(null),
                                            ManagementSettings::withTokenFile),
                                    new Key<ManagementSettings, Boolean>(
                                            "trace",
                                            ValueTypes.FLAG,
                                            "Allows tandem trace to record what each worker does.",
                                            ManagementSettings::allowsTraces,
                                            ManagementSettings::withTraces)))
                    .requiring("address")
                    .checkedBy(ProcessKeys::check);

    static final Section<ErrorSettings> ERRORS =
            Section.of(
                    ErrorSettings.DEFAULT,
                    List.of(
                            new Key<ErrorSettings, Path>(
                                    "file",
                                    ValueTypes.PATH,
                                    "The error log; without it, standard error.",
                                    e -> e.file().orElse(null),
                                    ErrorSettings::withFile),
                            new Key<ErrorSettings, Level>(
                                    "level",
                                    LEVEL,
                                    "Less severe messages are not logged.",
                                    ErrorSettings::level,
                                    ErrorSettings::withLevel)));

    static final Section<AccessSettings> ACCESS =
            Section.of(
                    AccessSettings.DEFAULT,
                    List.of(
                            new Key<AccessSettings, Path>(
                                    "file",
                                    ValueTypes.PATH,
                                    "The access log; without it, standard output.",
                                    a -> a.file().orElse(null),
                                    AccessSettings::withFile),
                            new Key<>(
                                    "format",
                                    ValueTypes.choice(AccessFormat.Style.class),
                                    "Format of a line: as httpd's, as JSON, or as name=value.",
                                    a -> a.format().style(),
                                    (a, style) -> a.withFormat(AccessFormat.of(style))),
                            new Key<AccessSettings, List<LogField>>(
                                    "fields",
                                    FIELDS,
                                    "Fields of a line of json or logfmt, in order: time, id, trace,"
                                            + " remote, secure, host, method, target, protocol,"
                                            + " stream, request, status, bytes, duration_ms,"
                                            + " referer, user_agent, header.NAME.",
                                    a -> a.format().hasChoice() ? a.format().fields() : null,
                                    (a, fields) ->
                                            a.withFormat(
                                                    new AccessFormat(a.format().style(), fields))),
                            new Key<>(
                                    "rotate",
                                    ValueTypes.SIZE,
                                    "The size in bytes at which the file is renamed to FILE.1 and"
                                            + " started anew; 0 never.",
                                    AccessSettings::rotateAt,
                                    AccessSettings::withRotateAt),
                            new Key<>(
                                    "keep",
                                    ValueTypes.NUMBER,
                                    "How many renamed files are kept. 0 to 1,000.",
                                    AccessSettings::keep,
                                    AccessSettings::withKeep),
                            new Key<>(
                                    "queue",
                                    ValueTypes.NUMBER,
                                    "Maximum number of lines waiting to be written; more are lost,"
                                            + " and counted. 1,024 to 1,048,576.",
                                    AccessSettings::queueMax,
                                    AccessSettings::withQueueMax)));

    private ProcessKeys() {}

    private static void check(ManagementSettings manage) {
        if (!(manage.address() instanceof Address.Inet(String host, int port))) {
            return;
        }
        var address = new InetSocketAddress(host, port);
        boolean isReachable = !address.isUnresolved() && !address.getAddress().isLoopbackAddress();
        if (isReachable && !manage.isOpen()) {
            throw new IllegalArgumentException(
                    manage.address()
                            + " can be reached from other machines; use 127.0.0.1, or set"
                            + " open = true");
        }
    }

    private static Level level(String text) {
        return switch (text) {
            case "debug" -> Level.DEBUG;
            case "info" -> Level.INFO;
            case "warning" -> Level.WARNING;
            case "error" -> Level.ERROR;
            case "off" -> Level.OFF;
            default -> throw new IllegalArgumentException();
        };
    }
}
