package dev.tandem.lab.papers;

import java.util.Locale;

/// A paper whose figures are repeated.
enum Paper {
    ICPADS(
            "Carrera, Beltran, Torres, Ayguadé: A Hybrid Web Server Architecture for e-Commerce"
                    + " Applications. ICPADS 2005"),
    HPCC(
            "Beltran, Carrera, Guitart, Torres, Ayguadé: A Hybrid Web Server Architecture for"
                    + " Secure e-Business Web Applications. HPCC 2005"),
    SERVER2012("Aaqib and Sharma: an experimental hybrid web server in Java. 2012"),
    THESIS(
            "Beltran: Improving Web Server Efficiency on Commodity Hardware. Thesis, Barcelona"
                    + " 2008"),
    DSN(
            "Courtwright, Yue, Wang: Efficient Resource Management on Template-based Web Servers."
                    + " DSN 2009");

    private final String citation;

    Paper(String citation) {
        this.citation = citation;
    }

    /// Such as `thesis`; begins the names of its figures.
    String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    String citation() {
        return citation;
    }
}
