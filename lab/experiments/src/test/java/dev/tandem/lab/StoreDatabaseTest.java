package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoreDatabaseTest {
    private static long count(StoreDatabase database, String name, String condition)
            throws Exception {
        try (var c = DriverManager.getConnection(database.url(name), database.user(), "");
                var statement = c.createStatement();
                var rows = statement.executeQuery("select count(*) from t" + condition)) {
            assertTrue(rows.next());
            return rows.getLong(1);
        }
    }

    private static void execute(StoreDatabase database, String url, String... statements)
            throws Exception {
        try (var c = DriverManager.getConnection(url, database.user(), "");
                var statement = c.createStatement()) {
            for (String text : statements) {
                statement.execute(text);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"MARIADB, mariadbd", "POSTGRESQL, postgres"})
    void copyHasTheRowsAndItsOwnKeys(StoreDatabase.Kind kind, String program, @TempDir Path folder)
            throws Exception {
        assumeTrue(StoreDatabase.isHere(program), "needs " + program);
        Lineup.open(folder);
        Path files = Files.createDirectories(folder.resolve("database"));
        Environment environment = Environment.ofProcess(System.out);
        try (StoreDatabase database = StoreDatabase.start(kind, files, "", environment)) {
            database.awaitReady();
            database.create("first");
            String key =
                    kind == StoreDatabase.Kind.MARIADB
                            ? "auto_increment"
                            : "generated always as identity";
            execute(
                    database,
                    database.bulkUrl("first"),
                    "create table t (id bigint " + key + " primary key, n int)",
                    "create index t_n on t (n)",
                    "insert into t (n) values (1), (2), (2)");
            database.settle("first");
            database.copy("first", "second");
            execute(database, database.url("second"), "insert into t (n) values (7)");
            assertEquals(3, count(database, "first", ""));
            assertEquals(4, count(database, "second", ""));
            assertEquals(2, count(database, "second", " where n = 2"));
            assertEquals(1, count(database, "second", " where id > 3"));
            assertTrue(database.cpuSeconds() > 0);
            assertTrue(database.version().contains("."), database.version());
        }
    }

    @Test
    void copyOfH2IsAnError(@TempDir Path folder) throws Exception {
        Environment environment = Environment.ofProcess(System.out);
        try (StoreDatabase database =
                StoreDatabase.start(StoreDatabase.Kind.H2, folder, "", environment)) {
            assertThrows(LabException.class, () -> database.copy("first", "second"));
        }
    }
}
