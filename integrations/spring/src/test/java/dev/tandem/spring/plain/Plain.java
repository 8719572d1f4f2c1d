package dev.tandem.spring.plain;

import dev.tandem.spring.visits.CountingApplication;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.server.servlet.context.ServletWebServerInitializedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/// An application that needs only the web.
@SpringBootApplication
@RestController
public class Plain {
    public static void main(String[] arguments) {
        SpringApplication.run(Plain.class, arguments);
    }

    @GetMapping("/connector")
    String connector() {
        return Thread.currentThread().getName();
    }

    @EventListener
    void started(ServletWebServerInitializedEvent event) {
        System.out.println(CountingApplication.LISTENS + event.getWebServer().getPort());
    }
}
