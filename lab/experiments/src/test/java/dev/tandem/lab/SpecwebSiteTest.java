package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.lab.shops.SpecwebClients.Site;
import dev.tandem.workloads.PageView;
import dev.tandem.workloads.Published;
import dev.tandem.workloads.SiteModel;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SpecwebSiteTest {
    private static final int SESSIONS = 20_000;
    private static final double POINTS = 0.5;

    /// In percent of all pages of these sessions.
    private static Map<String, Double> mix(SiteModel model) {
        var counts = new HashMap<String, Double>();
        double all = 0;
        for (int number = 0; number < SESSIONS; number++) {
            Iterator<PageView> way = model.begin(number, new SplittableRandom(number));
            while (way.hasNext()) {
                counts.merge(way.next().page(), 1.0, Double::sum);
                all++;
            }
        }
        double pages = all;
        counts.replaceAll((_, count) -> 100 * count / pages);
        return counts;
    }

    @Test
    void shopInTwoPartsHasThePublishedMix() {
        List<SpecwebSite.Part> parts = SpecwebSite.parts(Site.ECOMMERCE);
        assertFalse(parts.get(0).isSecure());
        assertTrue(parts.get(1).isSecure());
        assertEquals(1, parts.get(0).share() + parts.get(1).share(), 1e-9);
        var mix = new HashMap<String, Double>();
        for (SpecwebSite.Part part : parts) {
            mix(part.model()).forEach((page, share) -> mix.put(page, share * part.share()));
        }
        Map<String, Double> published = Published.specwebEcommerce().mix();
        assertEquals(published.keySet(), mix.keySet());
        published.forEach(
                (page, share) -> assertEquals(share, mix.getOrDefault(page, 0.0), POINTS, page));
    }

    @Test
    void bankIsOverTlsAndSupportIsNot() {
        assertTrue(SpecwebSite.parts(Site.BANKING).getFirst().isSecure());
        assertFalse(SpecwebSite.parts(Site.SUPPORT).getFirst().isSecure());
        assertEquals(1, SpecwebSite.parts(Site.BANKING).size());
    }
}
