package dev.tandem.http.h2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9218, section 4; RFC 9651, section 3.2.
class PriorityTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "u=0                       | 0 | false",
                "u=7                       | 7 | false",
                "i                         | 3 | true",
                "i=?1                      | 3 | true",
                "i=?0                      | 3 | false",
                "u=5, i                    | 5 | true",
                "u=5,i                     | 5 | true",
                "u=5 \t, \ti=?1            | 5 | true",
                "i, u=1                    | 1 | true",
                "u=1, u=2                  | 2 | false",
                "u=1;a=b;c, i;d=\"e\"      | 1 | true",
                "u=1, x=\"a\\\"\\\\,b\", i | 1 | true",
                "u=1, x=(1 \"a\";b  c);d, i| 1 | true",
                "x=(), i                   | 3 | true",
                "x=:aGk=:, u=1             | 1 | false",
                "x=-12.5, u=1              | 1 | false",
                "x=@1659578233, u=1        | 1 | false",
                "x=%\"a%c3%a4\", u=1       | 1 | false",
                "x=token/a:b, u=1          | 1 | false",
                "*x-._*=*a, u=1            | 1 | false",
                "uu=1, ui=2                | 3 | false",
            })
    void memberIsRead(String value, int urgency, boolean isIncremental) {
        assertEquals(new Priority(urgency, isIncremental), Priority.parse(value));
    }

    /// RFC 9218, section 4: values out of range and of other types are ignored.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "u=8",
                "u=-1",
                "u=1.0",
                "u=\"1\"",
                "u",
                "u=?1",
                "u=(1)",
                "u=a",
                "i=1",
                "i=\"a\"",
                "i=a",
                "i=(?1)",
                "u=999999999999999",
                ""
            })
    void otherValueIsTheDefault(String value) {
        assertEquals(Priority.DEFAULT, Priority.parse(value));
    }

    @Test
    void otherValueDoesNotAffectOtherMembers() {
        assertEquals(new Priority(3, true), Priority.parse("u=8, i"));
        assertEquals(new Priority(1, false), Priority.parse("u=1, i=2"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "u=1,",
                "u=1, ",
                ",u=1",
                "u=1,,i",
                "u=1 i",
                "u = 1",
                "u=",
                "u=1;",
                "u=1;=",
                "U=1",
                "1",
                "u=1, x=\"",
                "u=1, x=\"\\a\"",
                "u=1, x=\"\u00e4\"",
                "u=1, x=(",
                "u=1, x=(1",
                "u=1, x=(1\"a\")",
                "u=1, x=:a",
                "u=1, x=?2",
                "u=1, x=?",
                "u=1, x=-",
                "u=1, x=1.",
                "u=1, x=1.1234",
                "u=1, x=1234567890123.1",
                "u=1, x=1234567890123456",
                "u=1, x=@",
                "u=1, x=@1.5",
                "u=1, x=%a",
                "u=1, x=%\"%C3\"",
                "u=1, x=%\"%c\"",
                "u=1, x=%\"\t\"",
                "u=1, x=%\"",
                "u=1, x={",
                "u=1, x=\0",
                "u=1\0",
                "u=1, i=?1?",
                "(u=1)",
                "u=1;a=("
            })
    void malformedDictionaryIsTheDefault(String value) {
        assertEquals(Priority.DEFAULT, Priority.parse(value));
    }

    @Test
    void allPrioritiesAreParsedAsWritten() {
        for (int urgency = 0; urgency <= 7; urgency++) {
            for (boolean isIncremental : new boolean[] {false, true}) {
                var priority = new Priority(urgency, isIncremental);
                assertEquals(priority, Priority.parse(priority.toString()));
            }
        }
        assertEquals("", Priority.DEFAULT.toString());
        assertEquals("u=0, i", new Priority(0, true).toString());
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 8})
    void urgencyOutOfRangeIsRejected(int urgency) {
        assertThrows(IllegalArgumentException.class, () -> new Priority(urgency, false));
    }

    @Test
    void anyTextIsParsedWithoutAnException() {
        var random = new Random(1);
        String characters = "ui=,;?10 \t\"\\()@%:-.ab*\u00e4\0";
        for (int i = 0; i < 100_000; i++) {
            var text = new StringBuilder();
            for (int length = random.nextInt(12); length > 0; length--) {
                text.append(characters.charAt(random.nextInt(characters.length())));
            }
            Priority.parse(text.toString());
        }
    }
}
