package app;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/// An ordinary application: the starter is all that it has of Tandem.
@SpringBootApplication
@RestController
public class App {
    public static void main(String[] arguments) {
        SpringApplication.run(App.class, arguments);
    }

    @GetMapping("/thread")
    String thread() {
        return Thread.currentThread().getName();
    }
}
