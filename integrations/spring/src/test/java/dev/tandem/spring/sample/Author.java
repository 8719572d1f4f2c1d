package dev.tandem.spring.sample;

import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import java.util.ArrayList;
import java.util.List;

/// An author with lazily loaded books.
@Entity
public class Author {
    @Id private int id;

    private String name = "";

    @ElementCollection(fetch = FetchType.LAZY)
    private List<String> books = new ArrayList<>();

    protected Author() {}

    Author(int id, String name, List<String> books) {
        this.id = id;
        this.name = name;
        this.books = new ArrayList<>(books);
    }

    public int getId() {
        return id;
    }

    public String getName() {
        return name;
    }

    public List<String> getBooks() {
        return books;
    }
}
