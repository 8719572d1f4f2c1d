package dev.tandem.spring.sample;

import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.util.List;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/// Reads and writes authors.
@Component
public class Authors {
    @SuppressWarnings("NullAway.Init") // by Spring
    @PersistenceContext
    private EntityManager entities;

    @Transactional(readOnly = true)
    public Author find(int id) {
        return entities.find(Author.class, id);
    }

    @Transactional
    @EventListener
    public void populate(ApplicationStartedEvent event) {
        for (int id = 1; id <= 100; id++) {
            entities.merge(new Author(id, "author " + id, List.of("first " + id, "last " + id)));
        }
    }
}
