package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class AuctionSizeTest {
    @Test
    void databaseOfAMillionUsersIsThatOfRubis() {
        var size = new AuctionSize(1_000_000);
        assertEquals(32_667, size.items());
        assertEquals(500_000, size.oldItems());
        assertTrue(size.note().contains("a scale of 1.000"), size.note());
    }

    @Test
    void smallerDatabaseKeepsProportionsAndTheSmallPopulationsItems() {
        assertEquals(8_167, new AuctionSize(250_000).items());
        assertEquals(125_000, new AuctionSize(250_000).oldItems());
        var small = new AuctionSize(2_000);
        assertEquals(3_000, small.items());
        assertEquals(2_000, small.oldItems());
        assertTrue(small.note().contains("a scale of 0.002"), small.note());
        assertTrue(small.flags().contains("-Dauction.users=2000"), small.flags().toString());
    }
}
