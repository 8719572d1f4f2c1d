package notes

import dev.tandem.Options
import dev.tandem.Tandem
import dev.tandem.http.EventChannel
import dev.tandem.http.Exchange
import dev.tandem.http.HttpException
import java.time.Duration
import java.util.concurrent.ConcurrentSkipListMap
import java.util.concurrent.atomic.AtomicLong

data class NewNote(val text: String, val tags: List<String> = listOf())

data class Note(val id: Long, val text: String, val tags: List<String>)

class NoSuchNote(id: Long) : RuntimeException("no note $id")

/** Keeps notes in memory, as JSON; reports new ones as events. */
class Notes {
    private val notes = ConcurrentSkipListMap<Long, Note>()
    private val ids = AtomicLong()
    private val news: EventChannel = EventChannel.of()

    fun addTo(server: Tandem): Tandem =
        server
            .filter { x, next ->
                x.header("X-Content-Type-Options", "nosniff")
                next.handle(x)
            }
            .group("/notes") { group ->
                group.get("/", this::list)
                    .post("/", this::add)
                    .get("/{id}") { x -> x.json(find(x.pathLong("id"))) }
                    .delete("/{id}", this::remove)
            }
            .get("/news", news::subscribe)
            .get("/hello/{name}") { it.send("Hello, ${it.pathParam("name")}!") }
            .exception(NoSuchNote::class.java) { x, e ->
                x.status(404).json(mapOf("error" to e.message))
            }

    private fun list(x: Exchange) {
        // A parameter that is missing is null: the compiler knows.
        val tag: String? = x.queryParam("tag")
        val max = x.queryInt("max", 100)
        x.json(notes.values.filter { tag == null || tag in it.tags }.take(max))
    }

    private fun add(x: Exchange) {
        val wanted = x.body(NewNote::class.java)
        if (wanted.text.isBlank()) throw HttpException(400, "text is blank")
        val note = Note(ids.incrementAndGet(), wanted.text, wanted.tags)
        notes[note.id] = note
        news.publish("note", note.text)
        x.status(201).header("Location", "/notes/${note.id}").json(note)
    }

    private fun remove(x: Exchange) {
        notes.remove(x.pathLong("id")) ?: throw NoSuchNote(x.pathLong("id"))
        x.status(204).send()
    }

    private fun find(id: Long): Note = notes[id] ?: throw NoSuchNote(id)
}

fun main(arguments: Array<String>) {
    val port = arguments.firstOrNull()?.toInt() ?: 8080
    val options = Options.DEFAULT.withTimeouts { it.withHead(Duration.ofSeconds(10)) }
    val server = Notes().addTo(Tandem.listen("127.0.0.1", port).options(options)).start()
    println("http://127.0.0.1:${server.port()}/notes/")
    server.join()
}
