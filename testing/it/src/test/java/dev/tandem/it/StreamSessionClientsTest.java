package dev.tandem.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.http.WebSocket;
import dev.tandem.testkit.Browser;
import dev.tandem.tls.TlsSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// WebSocket sessions over HTTP/2 (RFC 8441) with real clients over TLS: each gets its message back
/// with the version of its session's request. A client that the machine does not have is skipped.
@Timeout(120)
class StreamSessionClientsTest {
    /// A browser begins sessions over the connection that it has loaded the page by.
    private static final String PAGE =
            """
            <!doctype html><title>sessions</title><script>
            const echo = text => new Promise((resolve, reject) => {
                const session = new WebSocket('wss://' + location.host + '/live');
                session.onopen = () => session.send(text);
                session.onmessage = event => session.close(1000);
                session.onerror = () => reject('error');
                session.addEventListener('message', event => session.onclose =
                    end => resolve(event.data + ' ' + end.code));
            });
            const all = Promise.all(['one', 'two', 'three'].map(echo)).then(texts => texts.join());
            all.then(text => document.title = text);
            </script>
            """;

    private static final String SEEN = "HTTP/2.0 one 1000,HTTP/2.0 two 1000,HTTP/2.0 three 1000";

    /// What a client prints: the status, the echo, the close frame's code, the end of the stream.
    private static final String EXPECTED = "200, HTTP/2.0 Hi, 1000, ended";

    private final Path folder;
    private final Server server;

    StreamSessionClientsTest(@TempDir Path folder) throws Exception {
        this.folder = folder;
        server =
                Tandem.listen("127.0.0.1", 0)
                        .tls(TlsSettings.of(TlsPapers.in(folder).pem("site")))
                        .get("/", x -> x.html(PAGE))
                        .get("/favicon.ico", x -> x.send(""))
                        .webSocket("/live", StreamSessionClientsTest::echo)
                        .start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static void echo(WebSocket session) {
        String version = session.exchange().request().version().protocol();
        session.onText(text -> session.send(version + " " + text));
    }

    private String url() {
        return "https://localhost:" + server.port();
    }

    @Test
    void chromiumBeginsSessionsOverHttp2() throws Exception {
        assumeTrue(Browser.isInstalled(), "skipped: needs chromium");
        try (Browser browser = Browser.start(folder, "--ignore-certificate-errors")) {
            browser.open(url() + "/");
            browser.await("document.title", SEEN);
            assertEquals(List.of(), browser.complaints());
        }
    }

    @Test
    void firefoxBeginsSessionsOverHttp2() throws Exception {
        try (Firefox firefox = Firefox.start(folder)) {
            firefox.open(url() + "/");
            assertEquals(SEEN, firefox.evaluated("all"));
        }
    }

    /// Its module http2.
    @Test
    void nodeBeginsASessionOverHttp2() throws Exception {
        Path program =
                Files.writeString(
                        folder.resolve("session.js"),
                        """
                        const [, , ca, url] = process.argv;
                        const client = require('http2').connect(url,
                            {ca: require('fs').readFileSync(ca)});
                        const out = [];
                        client.on('remoteSettings', settings => {
                            if (!settings.enableConnectProtocol) throw 'not offered';
                            const stream = client.request({':method': 'CONNECT',
                                ':protocol': 'websocket', ':path': '/live',
                                'sec-websocket-version': '13'}, {endStream: false});
                            let bytes = Buffer.alloc(0);
                            stream.on('response', head => {
                                out.push(head[':status']);
                                stream.write(Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x48, 0x69]));
                            });
                            stream.on('data', piece => {
                                bytes = Buffer.concat([bytes, piece]);
                                while (bytes.length > 1 && bytes.length >= 2 + bytes[1]) {
                                    const [kind, length] = bytes;
                                    const content = bytes.subarray(2, 2 + length);
                                    bytes = bytes.subarray(2 + length);
                                    if (kind === 0x81) {
                                        out.push(content.toString());
                                        stream.end(Buffer.from(
                                            [0x88, 0x82, 0, 0, 0, 0, 0x03, 0xE8]));
                                    } else {
                                        out.push(content.readUInt16BE());
                                    }
                                }
                            });
                            stream.on('end', () => {
                                out.push('ended');
                                process.stdout.write(out.join(', '));
                                client.close();
                            });
                        });
                        """);
        var node = new Tool("node", List.of());
        assertEquals(EXPECTED, node.run(folder, program.toString(), ca(), url()));
    }

    /// With the library h2.
    @Test
    void pythonBeginsASessionOverHttp2() throws Exception {
        var python = new Tool("python3", List.of());
        String has = python.run(folder, "-c", "import h2; print('yes')");
        assumeTrue(has.startsWith("yes"), "skipped: needs Python's h2");
        Path program =
                Files.writeString(
                        folder.resolve("session.py"),
                        """
                        import socket, ssl, sys
                        import h2.connection, h2.events, h2.settings

                        context = ssl.create_default_context(cafile=sys.argv[1])
                        context.set_alpn_protocols(['h2'])
                        port = int(sys.argv[2])
                        raw = socket.create_connection(('127.0.0.1', port))
                        link = context.wrap_socket(raw, server_hostname='localhost')
                        http = h2.connection.H2Connection()
                        http.initiate_connection()
                        link.sendall(http.data_to_send())
                        out, frames, stream = [], b'', None
                        while 'ended' not in out:
                            for event in http.receive_data(link.recv(65536)):
                                if isinstance(event, h2.events.RemoteSettingsChanged):
                                    offer = h2.settings.SettingCodes.ENABLE_CONNECT_PROTOCOL
                                    assert event.changed_settings[offer].new_value == 1
                                    stream = http.get_next_available_stream_id()
                                    http.send_headers(stream, [
                                        (':method', 'CONNECT'), (':protocol', 'websocket'),
                                        (':scheme', 'https'), (':path', '/live'),
                                        (':authority', f'localhost:{port}'),
                                        ('sec-websocket-version', '13')])
                                elif isinstance(event, h2.events.ResponseReceived):
                                    head = {bytes(n): bytes(v) for n, v in
                                            ((n.encode() if isinstance(n, str) else n,
                                              v.encode() if isinstance(v, str) else v)
                                             for n, v in event.headers)}
                                    out.append(head[b':status'].decode())
                                    http.send_data(stream, bytes([0x81, 0x82, 0, 0, 0, 0]) + b'Hi')
                                elif isinstance(event, h2.events.DataReceived):
                                    frames += event.data
                                elif isinstance(event, h2.events.StreamEnded):
                                    out.append('ended')
                                while len(frames) > 1 and len(frames) >= 2 + frames[1]:
                                    kind, content = frames[0], frames[2:2 + frames[1]]
                                    frames = frames[2 + len(content):]
                                    if kind == 0x81:
                                        out.append(content.decode())
                                        close = bytes([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xE8])
                                        http.send_data(stream, close, end_stream=True)
                                    else:
                                        out.append(str(int.from_bytes(content, 'big')))
                            link.sendall(http.data_to_send())
                        print(', '.join(out), end='')
                        """);
        String port = Integer.toString(server.port());
        assertEquals(EXPECTED, python.run(folder, program.toString(), ca(), port));
    }

    private String ca() {
        return folder.resolve("ca.pem").toString();
    }
}
