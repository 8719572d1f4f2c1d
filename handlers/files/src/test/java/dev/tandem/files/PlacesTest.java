package dev.tandem.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.tandem.files.Found.Document;
import dev.tandem.files.Places.Place;
import dev.tandem.http.FileStamp;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class PlacesTest {
    private static final long RECHECK = 1_000;

    /// Near the end of what a long has: the clock's origin is arbitrary, and it may go round.
    private static final long LOOKED = Long.MAX_VALUE - 10;

    private final Places places = new Places(RECHECK);

    @Test
    void whatWasFoundIsKnownForTheRecheckTime() {
        Place place = place("a", 0);
        places.put(place);
        assertEquals(place, places.get("a", LOOKED + RECHECK - 1));
        assertNull(places.get("a", LOOKED + RECHECK));
    }

    @Test
    void withoutRecheckTimeNothingIsKnown() {
        var forgetful = new Places(0);
        forgetful.put(place("a", 0));
        assertNull(forgetful.get("a", LOOKED));
    }

    @Test
    void aFileThatIsNotSettledIsNotKnown() {
        places.put(place("a", 0));
        places.put(place("a", LOOKED));
        assertNull(places.get("a", LOOKED));
    }

    @Test
    void whatIsForgottenIsNotKnown() {
        places.put(place("a", 0));
        places.forget("a");
        assertNull(places.get("a", LOOKED));
    }

    /// The two names have the same hash code.
    @Test
    void aNameThatCollidesIsAnother() {
        places.put(place("Aa", 0));
        assertNull(places.get("BB", LOOKED));
    }

    private static Place place(String tail, long modifiedNanos) {
        var sight = new Sight(new FileStamp(1, modifiedNanos, true, false), null);
        var document = new Document(tail, Path.of(tail), sight);
        return new Place(tail, document, Label.of(document, LOOKED), LOOKED);
    }
}
