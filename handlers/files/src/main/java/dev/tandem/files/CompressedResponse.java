package dev.tandem.files;

import dev.tandem.http.Exchange;
import dev.tandem.http.HttpException;
import dev.tandem.http.Preconditions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/// Responds with a file that was compressed on demand and is held in memory. Always sends the whole
/// file, since ranges are sent from the uncompressed one. Confined to the exchange's worker.
final class CompressedResponse {
    private CompressedResponse() {}

    /// @throws HttpException 412 if a precondition fails
    static void send(Exchange x, InMemoryFile file) throws IOException {
        FileMetadata metadata = file.metadata();
        setHeaders(x, metadata.notModifiedHeaders());
        switch (Preconditions.evaluate(x.method(), x.request().headers(), metadata.validators())) {
            case PROCEED, PROCEED_WITHOUT_RANGE -> {
                setHeaders(x, metadata.contentHeaders());
                ByteBuffer held = file.bytes().duplicate();
                var bytes = new byte[held.remaining()];
                held.get(bytes);
                x.status(200).send(bytes);
            }
            case NOT_MODIFIED -> x.status(304).send();
            case FAILED -> throw new HttpException(412, "the file has changed");
        }
    }

    private static void setHeaders(Exchange x, List<String> headers) {
        for (int i = 0; i < headers.size(); i += 2) {
            x.header(headers.get(i), headers.get(i + 1));
        }
    }
}
