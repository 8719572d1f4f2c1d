package dev.tandem.http;

import java.io.IOException;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads the body of a request as a whole: its text, or the object that it stands for.
final class MessageBody {
    /// Charsets of bodies that are mapped: UTF-8 (RFC 8259, section 8.1), and the part of it that
    /// some clients declare.
    private static final Set<Charset> MAPPED =
            Set.of(StandardCharsets.UTF_8, StandardCharsets.US_ASCII);

    private MessageBody() {}

    /// @throws HttpException 415 if the charset is unknown, 400 if the body is not encoded with it
    static String text(Request request) throws IOException {
        Charset charset = charset(request.headers().first("Content-Type"));
        byte[] bytes = request.body().readAllBytes();
        try {
            return charset.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException _) {
            throw new HttpException(400, "the body is not " + charset.name());
        }
    }

    private static Charset charset(@Nullable String type) {
        if (type == null) {
            return StandardCharsets.UTF_8;
        }
        String name = MediaType.parse(type).parameter("charset");
        if (name == null) {
            return StandardCharsets.UTF_8;
        }
        try {
            return Charset.forName(name);
        } catch (IllegalCharsetNameException | UnsupportedCharsetException _) {
            throw new HttpException(415, "the charset of the body is unknown");
        }
    }

    /// @throws HttpException 415 if the mapper does not read bodies of its type, or its charset is
    ///     declared and not UTF-8; 400 if there is none or it does not map
    static Object object(Request request, BodyMapper mapper, Type type) throws IOException {
        String declared = request.headers().first("Content-Type");
        if (declared == null || !mapper.canRead(MediaType.parse(declared).value())) {
            throw new HttpException(415, "the body must be of type " + mapper.mediaType());
        }
        if (!MAPPED.contains(charset(declared))) {
            throw new HttpException(415, "the charset of the body must be UTF-8");
        }
        if (request.contentLength() == 0) {
            throw new HttpException(400, "the body is missing");
        }
        return mapper.read(request.body(), type);
    }
}
