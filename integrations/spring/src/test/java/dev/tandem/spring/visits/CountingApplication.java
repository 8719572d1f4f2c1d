package dev.tandem.spring.visits;

import jakarta.servlet.http.HttpSession;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.server.servlet.context.ServletWebServerInitializedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/// Counts requests in the session.
@SpringBootApplication(
        excludeName =
                "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration")
@RestController
public class CountingApplication {
    public static final String LISTENS = "listens at ";

    public static void main(String[] arguments) {
        SpringApplication.run(CountingApplication.class, arguments);
    }

    @GetMapping("/visits")
    String visits(HttpSession session) {
        int visits = session.getAttribute("visits") instanceof Integer known ? known + 1 : 1;
        session.setAttribute("visits", visits);
        return "visit " + visits + " of " + ProcessHandle.current().pid();
    }

    /// Prints the port for the process that started this one.
    @EventListener
    void started(ServletWebServerInitializedEvent event) {
        System.out.println(LISTENS + event.getWebServer().getPort());
    }
}
