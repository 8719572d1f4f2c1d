package dev.tandem.tomcat;

import static dev.tandem.tomcat.BlockingServletTest.servlet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tandem.engine.container.ContainerExchange;
import dev.tandem.testkit.RawClient;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.coyote.ActionCode;
import org.apache.coyote.Adapter;
import org.apache.coyote.ProtocolHandler;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/// Applications that catch an error while their response is sent, such as a lack of memory: some of
/// the response is missing, so the next one must not follow.
@Timeout(60)
class CutContentTest {
    private final List<String> notes = new CopyOnWriteArrayList<>();

    /// An exchange, or anything else, whose methods do the same.
    private static <T> T proxy(Class<T> type, InvocationHandler does) {
        Class<?>[] types = {type};
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), types, does));
    }

    private static ResponseOutput failing(Response response) {
        var output = new ResponseOutput(response);
        output.start(
                proxy(
                        ContainerExchange.class,
                        (_, _, _) -> {
                            throw new OutOfMemoryError("at the moment");
                        }));
        output.setFraming(ResponseOutput.Framing.PLAIN, 5, false);
        return output;
    }

    private void note(Response response, String what, Executable action) {
        assertThrows(OutOfMemoryError.class, action);
        var mayFollow = new AtomicBoolean();
        response.action(ActionCode.IS_IO_ALLOWED, mayFollow);
        notes.add(what + " " + mayFollow);
    }

    private void fail(Response response, String path) {
        response.setCommitted(true);
        ResponseOutput output = failing(response);
        if (path.equals("/write")) {
            note(response, "write", () -> output.doWrite(ByteBuffer.allocate(2)));
        } else {
            note(response, "flush", output::flush);
        }
    }

    @Test
    void nothingFollowsContentThatIsMissing() throws Exception {
        try (var site = new TestTomcat()) {
            site.start();
            ProtocolHandler handler = site.connector.getProtocolHandler();
            Adapter catalina = handler.getAdapter();
            handler.setAdapter(
                    proxy(
                            Adapter.class,
                            (_, method, arguments) -> {
                                if (!method.getName().equals("service")) {
                                    return method.invoke(catalina, arguments);
                                }
                                String path = ((Request) arguments[0]).requestURI().toString();
                                fail((Response) arguments[1], path);
                                return null;
                            }));
            for (String path : List.of("/write", "/flush")) {
                try (RawClient client = site.client()) {
                    client.send("GET " + path + " HTTP/1.1\nHost: h\n\n");
                    assertEquals(0, client.restOrCut().length);
                }
            }
        }
        assertEquals(List.of("write false", "flush false"), notes);
    }

    private static void cutAtTheEnd(HttpServletResponse s) throws IOException {
        s.setTrailerFields(
                () -> {
                    throw new OutOfMemoryError("at the moment");
                });
        s.getOutputStream().print("content");
        assertThrows(OutOfMemoryError.class, () -> s.getOutputStream().close());
    }

    @Test
    void responseThatLacksItsEndIsTheLast() throws Exception {
        try (var site = new TestTomcat()) {
            site.with("/cut", servlet((_, s) -> cutAtTheEnd(s)))
                    .with("/next", servlet((_, s) -> s.getOutputStream().print("next")))
                    .start();
            try (RawClient client = site.client()) {
                client.send(
                        """
                        GET /cut HTTP/1.1
                        Host: h

                        GET /next HTTP/1.1
                        Host: h
                        Connection: close

                        """);
                String received = new String(client.restOrCut(), StandardCharsets.ISO_8859_1);
                assertFalse(received.contains("next"), received);
            }
        }
    }
}
