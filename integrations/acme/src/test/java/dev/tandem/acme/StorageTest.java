package dev.tandem.acme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StorageTest {
    /// On demand, clients choose the names: a folder in the place of the account's key would end
    /// all orders.
    @Test
    void nameOfTheAccountsFileTakesNotItsPlace(@TempDir Path folder) throws IOException {
        var storage = new Storage(folder, URI.create("https://authority.example/dir"));
        assertThrows(IOException.class, () -> storage.checkWritable("account.pem"));
        assertEquals(storage.account().getPublic(), storage.account().getPublic());
        storage.checkWritable("www.example.org");
    }
}
