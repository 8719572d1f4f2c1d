package dev.tandem.auction;

import java.util.List;

/// All data of one member: the page 'about me'.
public record Account(
        Member member,
        List<Line> bidOn,
        List<Line> won,
        List<Line> bought,
        List<Line> selling,
        List<Line> sold,
        List<Comment> comments) {}
