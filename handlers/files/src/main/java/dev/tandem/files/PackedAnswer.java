package dev.tandem.files;

import dev.tandem.http.Exchange;
import dev.tandem.http.HttpException;
import dev.tandem.http.Preconditions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/// Answers with what was made of a file and is held in memory: whole, since ranges are sent of
/// the file as it is. Confined to the exchange's worker.
final class PackedAnswer {
    private PackedAnswer() {}

    /// @throws HttpException 412 if the client wants another state of the file
    static void send(Exchange x, HotFile file) throws IOException {
        Label label = file.label();
        setAll(x, label.keptFields());
        switch (Preconditions.evaluate(x.method(), x.request().headers(), label.validators())) {
            case PROCEED, PROCEED_WITHOUT_RANGE -> {
                setAll(x, label.contentFields());
                ByteBuffer held = file.bytes().duplicate();
                var bytes = new byte[held.remaining()];
                held.get(bytes);
                x.status(200).send(bytes);
            }
            case NOT_MODIFIED -> x.status(304).send();
            case FAILED -> throw new HttpException(412, "the file is another one by now");
        }
    }

    private static void setAll(Exchange x, List<String> fields) {
        for (int i = 0; i < fields.size(); i += 2) {
            x.header(fields.get(i), fields.get(i + 1));
        }
    }
}
