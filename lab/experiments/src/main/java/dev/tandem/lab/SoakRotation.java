package dev.tandem.lab;

import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Reloads the server of a soak, with another certificate each time, and checks the effect: new
/// connections get the new certificate and configuration, and those from before live on. Confined
/// to one thread.
final class SoakRotation implements AutoCloseable {
    private static final long EFFECT_NANOS_MAX = TimeUnit.SECONDS.toNanos(15);
    private static final int POLL_MILLIS = 20;
    private static final String PROTOCOL = "TLSv1.3";

    private final SoakSite site;
    private final SoakContents contents;
    private final SoakTally tally;

    /// Opened before the last reload.
    private @Nullable Caller old;

    SoakRotation(SoakSite site, SoakContents contents, SoakTally tally) {
        this.site = site;
        this.contents = contents;
        this.tally = tally;
    }

    /// Reloads once; counts it as a run.
    void rotate() throws LabException, InterruptedException {
        try {
            Caller before = old == null ? site.place().newTrust().connect(tls(), PROTOCOL) : old;
            old = before;
            hello(before);
            site.reload();
            Caller after = awaitEffect();
            hello(before);
            before.close();
            old = after;
            tally.good();
        } catch (IOException e) {
            tally.failed(e);
            close();
        }
    }

    private Caller awaitEffect() throws IOException, InterruptedException {
        long end = System.nanoTime() + EFFECT_NANOS_MAX;
        while (true) {
            SoakTrust trust = site.place().newTrust();
            Caller caller = trust.connect(tls(), PROTOCOL);
            boolean isReloaded =
                    hello(caller)
                            .field(SoakSite.HEADER.toLowerCase(Locale.ROOT))
                            .equals(site.place().reloads().toString());
            if (isReloaded && trust.hasSeen(site.certificate())) {
                return caller;
            }
            caller.close();
            SoakClient.expect(
                    System.nanoTime() - end < 0,
                    "a reload had no effect"
                            + (isReloaded ? " on the certificate" : " on the configuration"));
            Thread.sleep(POLL_MILLIS);
        }
    }

    private Caller.Reply hello(Caller caller) throws IOException {
        Caller.Reply reply = caller.get("/hello");
        contents.expect("/hello", reply);
        return reply;
    }

    private int tls() {
        return site.place().tls();
    }

    @Override
    public void close() {
        try {
            if (old != null) {
                old.close();
            }
        } catch (IOException e) {
            // It is closed all the same.
        }
        old = null;
    }
}
