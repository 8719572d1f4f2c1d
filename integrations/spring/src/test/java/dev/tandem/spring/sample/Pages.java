package dev.tandem.spring.sample;

import com.zaxxer.hikari.HikariDataSource;
import java.util.List;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

/// Pages of the sample.
@Controller
class Pages {
    private final Authors authors;
    private final HikariDataSource pool;

    Pages(Authors authors, HikariDataSource pool) {
        this.authors = authors;
        this.pool = pool;
    }

    /// Reports to a template how many connections are active at that moment.
    public record ActiveConnections(HikariDataSource pool) {
        public int now() {
            return pool.getHikariPoolMXBean().getActiveConnections();
        }
    }

    /// A page without a database.
    @GetMapping("/page")
    String page(Model model) {
        model.addAttribute("lines", List.of("one", "two", "three", "four", "five"));
        return "page";
    }

    @GetMapping("/authors/{id}")
    String author(@PathVariable int id, Model model) {
        model.addAttribute("author", authors.find(id));
        model.addAttribute("inController", new ActiveConnections(pool).now());
        model.addAttribute("lent", new ActiveConnections(pool));
        return "author";
    }
}
