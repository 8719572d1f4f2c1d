package notes

import dev.tandem.testing.TandemExtension
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.extension.RegisterExtension

class NotesTest {
    @RegisterExtension
    val site: TandemExtension = TandemExtension.inMemory { Notes().addTo(it) }

    @Test
    fun `note is kept and found`() {
        val added = site.post("/notes/", NewNote("buy tea", listOf("shop"))).expect(201)
        assertEquals("/notes/1", added.header("Location"))
        val note = site.get("/notes/1").expect(200).body(Note::class.java)
        assertEquals(Note(1, "buy tea", listOf("shop")), note)
        assertEquals("[]", site.get("/notes/?tag=other").expect(200).text())
        site.delete("/notes/1").expect(204)
        assertEquals("""{"error":"no note 1"}""", site.get("/notes/1").expect(404).text())
    }

    @Test
    fun `body that is no note is rejected with its place`() {
        val request = site.request("POST", "/notes/").body("application/json", """{"text": [1]}""")
        assertTrue("text" in request.send().expect(400).text())
        val missing = site.request("POST", "/notes/").body("application/json", """{"tags": []}""")
        assertTrue("text" in missing.send().expect(400).text())
        site.post("/notes/", NewNote(" ")).expect(400)
    }

    @Test
    fun `header of every response is set and another is missing`() {
        val hello = site.get("/hello/Ada").expect(200)
        assertEquals("Hello, Ada!", hello.text())
        assertEquals("nosniff", hello.header("X-Content-Type-Options"))
        assertNull(hello.header("X-Missing"))
    }
}
