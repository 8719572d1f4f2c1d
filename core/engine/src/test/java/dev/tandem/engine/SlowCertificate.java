package dev.tandem.engine;

import dev.tandem.tls.CertificateFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// The [TestCertificate], which a reader gets only after a while, as from a dead file server.
public final class SlowCertificate {
    private static final int PATIENCE_SECONDS = 20;

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    public CertificateFiles files() {
        return CertificateFiles.of(
                Path.of("slow"),
                () -> {
                    begun.countDown();
                    await(released);
                    return TestCertificate.files().read();
                });
    }

    /// Waits until it is being read.
    public void awaitReader() throws IOException {
        await(begun);
    }

    public void release() {
        released.countDown();
    }

    private static void await(CountDownLatch latch) throws IOException {
        try {
            if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("not within " + PATIENCE_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
