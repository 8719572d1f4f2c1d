package dev.tandem.specweb;

import dev.tandem.specweb.Screen.Kind;
import java.util.ArrayList;
import java.util.List;

/// All pages. What they are asked for by and their data are ours: of the benchmark we know their
/// names, how they follow each other, and what they weigh.
final class Screens {
    static final List<Screen> ALL = all();

    private Screens() {}

    private static List<Screen> all() {
        var all = new ArrayList<Screen>();
        bank(all);
        shop(all);
        support(all);
        return List.copyOf(all);
    }

    private static void bank(List<Screen> to) {
        Site s = Site.BANKING;
        to.add(
                screen(s, "login", "Welcome", 1, Kind.LOGIN)
                        .with("user,password", "Customer,Last seen"));
        to.add(
                screen(s, "account_summary", "Your accounts", 2, Kind.INSIDE)
                        .with("", "Account,Kind,Balance"));
        to.add(
                screen(s, "check_detail_html", "A cheque", 3, Kind.INSIDE)
                        .with("check", "Cheque,Date,Amount,To"));
        to.add(screen(s, "check_image_front", "", 4, Kind.PICTURE).with("check", ""));
        to.add(screen(s, "check_image_back", "", 4, Kind.PICTURE).with("check", ""));
        to.add(
                screen(s, "bill_pay", "Pay a bill", 5, Kind.INSIDE)
                        .with("", "Payee,Last paid,Amount"));
        to.add(screen(s, "add_payee", "A new payee", 0, Kind.INSIDE).with("", ""));
        to.add(
                screen(s, "payee_info", "The payee", 7, Kind.FORM)
                        .with("payee,city", "Payee,City,Account"));
        to.add(
                screen(s, "quick_pay", "Paid", 8, Kind.FORM)
                        .with("payee,amount", "Payment,Payee,Amount,Date"));
        to.add(
                screen(s, "billpay_status", "Bills paid", 9, Kind.INSIDE)
                        .with("", "Payment,Payee,Amount,State"));
        to.add(
                screen(s, "chg_profile", "Your profile", 10, Kind.INSIDE)
                        .with("", "Street,City,Telephone"));
        to.add(
                screen(s, "post_profile", "Your profile is changed", 11, Kind.FORM)
                        .with("street,telephone", "Street,City,Telephone"));
        to.add(
                screen(s, "req_checks", "Order cheques", 12, Kind.INSIDE)
                        .with("", "Account,Cheques left"));
        to.add(
                screen(s, "post_chk_order", "Cheques are ordered", 13, Kind.FORM)
                        .with("account,design", "Order,Account,Price"));
        to.add(
                screen(s, "req_xfer_form", "Transfer money", 14, Kind.INSIDE)
                        .with("", "Account,Kind,Balance"));
        to.add(
                screen(s, "post_fund_xfer", "Transferred", 15, Kind.FORM)
                        .with("from,to,amount", "Transfer,From,To,Amount"));
        to.add(screen(s, "logout", "Good bye", 0, Kind.LOGOUT).with("", ""));
    }

    private static void shop(List<Screen> to) {
        Site s = Site.ECOMMERCE;
        to.add(screen(s, "index", "Computers for everybody", 1, Kind.OPEN).with("", "Offer,Price"));
        to.add(screen(s, "search", "What we found", 2, Kind.OPEN).with("q", "Product,Price"));
        to.add(screen(s, "browse", "Product lines", 3, Kind.OPEN).with("", "Line,Products"));
        to.add(
                screen(s, "browse_productline", "A product line", 4, Kind.OPEN)
                        .with("line", "Product,Price"));
        to.add(
                screen(s, "productdetail", "A product", 5, Kind.OPEN)
                        .with("product", "Product,Price,In stock"));
        for (int i = 1; i <= 3; i++) {
            to.add(
                    screen(s, "customize" + i, "As you like it, step " + i, 5 + i, Kind.OPEN)
                            .with("product,option", "Option,Choice,Price"));
        }
        to.add(
                screen(s, "cart", "Your cart", 9, Kind.OPEN_FORM)
                        .with("product", "Product,Pieces,Price"));
        to.add(
                screen(s, "login", "Check out", 10, Kind.LOGIN)
                        .with("user,password", "Customer,Last seen"));
        to.add(screen(s, "shipping", "Where to", 11, Kind.FORM).with("address", "Way,Days,Price"));
        to.add(screen(s, "billing", "How to pay", 12, Kind.FORM).with("way", "Item,Price"));
        to.add(
                screen(s, "confirm", "Thank you", 13, Kind.FORM)
                        .with("card", "Order,Price,Arrives"));
    }

    private static void support(List<Screen> to) {
        Site s = Site.SUPPORT;
        to.add(screen(s, "home", "How can we help?", 1, Kind.OPEN).with("", "News,Date"));
        to.add(screen(s, "search", "What we found", 2, Kind.OPEN).with("q", "Product,Kind"));
        to.add(screen(s, "catalog", "Products", 3, Kind.OPEN).with("", "Product,Kind"));
        to.add(screen(s, "product", "A product", 4, Kind.OPEN).with("product", "System,Language"));
        to.add(
                screen(s, "fileCatalog", "Files", 5, Kind.OPEN)
                        .with("product,system", "File,Date,Size"));
        to.add(screen(s, "file", "A file", 6, Kind.OPEN).with("file", "File,Date,Size,Version"));
    }

    private static Start screen(Site site, String name, String title, int command, Kind kind) {
        return new Start(site, name, title, command, kind);
    }

    /// A page without what it is asked for with.
    private record Start(Site site, String name, String title, int command, Kind kind) {
        Screen with(String fields, String heads) {
            return new Screen(site, name, title, command, kind, words(fields), words(heads));
        }

        private static List<String> words(String text) {
            return text.isEmpty() ? List.of() : List.of(text.split(","));
        }
    }
}
