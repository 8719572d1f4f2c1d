package dev.tandem.files;

import dev.tandem.http.Exchange;
import dev.tandem.http.HttpException;
import dev.tandem.http.Preconditions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/// Answers with what was made of a file and is held in memory: whole, since ranges are sent of
/// the file as it is. Confined to the exchange's worker.
final class CompressedResponse {
    private CompressedResponse() {}

    /// @throws HttpException 412 if the client wants another state of the file
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
            case FAILED -> throw new HttpException(412, "the file is another one by now");
        }
    }

    private static void setHeaders(Exchange x, List<String> headers) {
        for (int i = 0; i < headers.size(); i += 2) {
            x.header(headers.get(i), headers.get(i + 1));
        }
    }
}
