package dev.tandem.cli;

import dev.tandem.cli.command.Failure;
import dev.tandem.config.InheritedSocket;
import dev.tandem.net.Datagrams;
import dev.tandem.net.Network;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The previous process, which has sent its listening sockets and still serves. The sockets and
/// their backlog stay the same, so that no connection is refused in between.
///
/// @param client a connection to its control socket, kept because the socket belongs to this
///     process, too, by now
/// @param inherited its sockets
record Takeover(ControlClient client, List<InheritedSocket> inherited) {

    /// @param control the other process's control socket
    /// @throws Failure if it does not send its sockets
    static Takeover from(Path control) {
        Datagrams datagrams =
                Datagrams.find()
                        .orElseThrow(
                                () ->
                                        Failure.failed(
                                                "--replace needs native access:"
                                                        + " --enable-native-access=ALL-UNNAMED"));
        ControlClient client = ControlClient.connect(control);
        try {
            // Both processes see it there: a unit of systemd has a /tmp of its own.
            Path folder = Files.createTempDirectory(control.toAbsolutePath().getParent(), "tandem");
            try (var box = datagrams.bind(folder.resolve("box"))) {
                String to =
                        URLEncoder.encode(folder.resolve("box").toString(), StandardCharsets.UTF_8);
                ControlClient.Response response =
                        client.post("/handover?to=" + to + "&pid=" + ProcessHandle.current().pid());
                if (response.status() != 200) {
                    throw Failure.failed("no sockets were handed over: " + response.text());
                }
                return new Takeover(client, adopted(box));
            } finally {
                Files.deleteIfExists(folder);
            }
        } catch (IOException e) {
            throw Failure.failed("no sockets were handed over: " + e.getMessage());
        }
    }

    private static List<InheritedSocket> adopted(Datagrams.Receiver box) throws IOException {
        Datagrams.Datagram received =
                box.receive().orElseThrow(() -> new IOException("no datagram was received"));
        Network network = Network.best();
        var inherited = new ArrayList<InheritedSocket>();
        for (int descriptor : received.descriptors()) {
            inherited.add(InheritedSocket.handedOver(network.adopt(descriptor)));
        }
        return List.copyOf(inherited);
    }

    /// Ends the other process when this one serves.
    void retireOther() {
        ControlClient.Response response = client.post("/retire");
        client.close();
        if (response.status() != 202) {
            System.err.println("tandem: the other process keeps running: " + response.text());
        }
    }
}
