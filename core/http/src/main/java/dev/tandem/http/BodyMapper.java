package dev.tandem.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/// Converts between bodies and objects: an adapter of a library such as Jackson or Gson. Found by
/// [java.util.ServiceLoader], or set by the builder of the server. Safe for use by any thread.
public interface BodyMapper {

    /// Returns the media type of what [#write(Object, OutputStream)] produces, such as
    /// `application/json`.
    String mediaType();

    /// Returns whether bodies of this media type can be read.
    ///
    /// @param mediaType without parameters, in lower case
    boolean canRead(String mediaType);

    /// Reads a body.
    ///
    /// @param body need not be closed; in UTF-8, since one in another declared charset is rejected
    /// @throws HttpException 400 if the body does not map to the type: its message has the path in
    ///     the body and the reason, and is shown to the client
    /// @throws IOException if the body cannot be read
    Object read(InputStream body, Type type) throws IOException;

    /// Writes an object, or null.
    ///
    /// @param to not closed by this method
    void write(@Nullable Object value, OutputStream to) throws IOException;
}
