package dev.tandem.lab;

import static java.util.Collections.nCopies;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ItemsTest {

    @ParameterizedTest
    @ValueSource(ints = {0, Items.COUNT + 1})
    void rowOutsideOfTheTableIsRejected(int id) {
        try (var items = new Items()) {
            assertThrows(SQLException.class, () -> items.row(id));
        }
    }

    @Test
    void rowIsJson() throws SQLException {
        try (var items = new Items()) {
            assertEquals(
                    "{\"id\":1000,\"name\":\"item number 1000\",\"price\":7000}", items.row(1000));
        }
    }

    @Test
    void concurrentFirstUsersShareOneTable() throws Exception {
        int clients = 2 * Items.POOL_SIZE;
        try (var items = new Items();
                var threads = Executors.newFixedThreadPool(clients)) {
            Callable<String> request = () -> items.row(7);
            var rows = threads.invokeAll(nCopies(clients, request));
            for (var row : rows) {
                assertEquals("{\"id\":7,\"name\":\"item number 7\",\"price\":49}", row.get());
            }
        }
    }

    @Test
    void twoTablesAreIndependent() throws SQLException {
        try (var other = new Items()) {
            try (var one = new Items()) {
                one.row(1);
            }
            assertEquals("{\"id\":1,\"name\":\"item number 1\",\"price\":7}", other.row(1));
        }
    }

    @Test
    void closedItemsRejectRequests() {
        var items = new Items();
        items.close();
        assertThrows(SQLException.class, items::random);
    }
}
