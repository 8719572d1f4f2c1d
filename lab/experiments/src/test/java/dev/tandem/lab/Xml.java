package dev.tandem.lab;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/// Pages read by a strict parser.
final class Xml {
    private Xml() {}

    static Document parse(String text) throws IOException {
        try {
            var source =
                    new InputSource(new StringReader(text.replaceFirst("<!DOCTYPE html>", "")));
            return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(source);
        } catch (SAXException | ParserConfigurationException e) {
            throw new IOException(e);
        }
    }

    static List<Element> all(Document document, String tag) {
        var list = document.getElementsByTagName(tag);
        var elements = new ArrayList<Element>();
        for (int i = 0; i < list.getLength(); i++) {
            elements.add((Element) list.item(i));
        }
        return elements;
    }

    static List<String> texts(Document document, String tag) {
        return all(document, tag).stream().map(Element::getTextContent).toList();
    }
}
