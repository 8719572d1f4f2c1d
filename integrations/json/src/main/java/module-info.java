/// Bodies as objects, by Jackson or Gson, whichever the application has.
module dev.tandem.json {
    requires transitive dev.tandem.http;
    requires static com.google.gson;
    requires static tools.jackson.databind;
    requires static transitive org.jspecify;

    exports dev.tandem.json;

    provides dev.tandem.http.BodyMapper with
            dev.tandem.json.PresentMapper;
}
