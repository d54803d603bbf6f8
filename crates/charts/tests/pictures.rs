//! Rendered pictures, checked by structure and by pixels.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::collections::HashSet;
use std::io::Cursor;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::{every_kind, noted, points, scatter};
use luthier_charts::{
    Axis, Bars, Cell, Chart, ChartError, Guide, Hatch, Kind, Line, Look, Note, Notes, Point,
    PointGroup, Shape, Size, Stacking, Value, Variant, tikz_document, to_png, to_svg, to_tikz,
};
use proptest::prelude::*;
use roxmltree::Document;

const SIZE: Size = Size { width: 640, height: 400 };

/// Fails unless the picture is XML of the elements that we know and holds nothing active.
#[track_caller]
fn check_svg(svg: &str) {
    let document = Document::parse(svg).unwrap_or_else(|error| panic!("{error}: {svg}"));
    let allowed = ["svg", "title", "desc", "defs", "pattern", "rect", "path", "text", "g", "a"];
    for node in document.descendants().filter(|node| node.is_element()) {
        let name = node.tag_name().name();
        assert!(allowed.contains(&name), "{name}");
        for attribute in node.attributes() {
            let (name, value) = (attribute.name(), attribute.value());
            assert!(name != "style" && !name.starts_with("on"), "{name}");
            let is_elsewhere = value.contains("url(") && !value.starts_with("url(#hatch-");
            assert!(!is_elsewhere, "{value}");
            if name == "href" {
                let lower = value.to_lowercase();
                assert!(!lower.contains("script:") && !lower.starts_with("data:"), "{value}");
            }
        }
    }
    let root = document.root_element();
    // What is inside an image is not read out, so there is nothing to follow in one.
    let has_links =
        document.descendants().any(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "a")));
    assert_eq!(root.attribute("role"), Some(if has_links { "group" } else { "img" }));
    assert!(root.attribute("viewBox").is_some());
    assert_eq!(root.first_element_child().unwrap().tag_name().name(), "title");
}

fn lines(count: usize, points: impl Fn(usize) -> Vec<(f64, f64)>) -> Chart {
    let line = |n| Line { name: format!("series {n}"), points: points(n), look: None };
    let kind = Kind::Lines { series: (0..count).map(line).collect(), shape: Shape::Steps };
    Chart::new("lines", "", Axis::linear("n"), Axis::log("t (s)", 0.001), kind).unwrap()
}

fn grows(count: u32) -> Vec<(f64, f64)> {
    (0..count).map(|n| (f64::from(n), f64::from(n * n % 977) / 90.0)).collect()
}

#[test]
fn hostile_names_are_shown_as_text() {
    let long = "very long ".repeat(5_000);
    let names = [
        "<script>alert(1)</script>",
        "\" onload=\"alert(1)",
        "' onclick='x",
        "]]>&amp;&#0;",
        "javascript:alert(1)",
        "\u{202E}reversed\u{2066}",
        "nul \u{0} bell \u{7} \u{FFFE}\u{FFFF} \u{85}",
        "\\input{/etc/passwd} % ^^M _ & # $ { } ~ ^",
        "漢字 עברית 🎻",
        "",
        &long,
    ];
    for name in names {
        for chart in every_kind(name) {
            for variant in [Variant::Page, Variant::Standalone] {
                let svg = to_svg(&chart, SIZE, variant);
                check_svg(&svg);
                assert!(!svg.contains("<script") && !svg.contains('\u{202E}'));
                assert!(svg.len() < 40_000, "{}", svg.len());
            }
            let tikz = to_tikz(&chart);
            assert!(tikz.len() < 60_000);
            let mut commands = tikz.lines().filter(|line| !line.starts_with('%'));
            assert!(!commands.any(|line| line.contains("\\input")));
            to_png(&chart, SIZE, 0.5).unwrap();
        }
    }
}

#[test]
fn cut_names_are_there_in_full_for_who_points_at_them() {
    let name = "a name that is much too long to be shown beside a chart";
    let stacked = &every_kind(name)[2];
    let svg = to_svg(stacked, SIZE, Variant::Page);
    assert!(svg.contains('…') && svg.contains(&format!("<title>{name}</title>")));
}

#[test]
fn links_are_kept_only_if_they_are_harmless() {
    let with = |link: &str| {
        let notes = Notes::of(vec![Note { link: Some(link.to_owned()), tooltip: None }]);
        let (x, y) = (Axis::linear("x"), Axis::linear("y"));
        to_svg(&noted(x, y, points([(1.0, 1.0)]), notes), SIZE, Variant::Page)
    };
    assert!(with("/instances/7?a=1&b=2").contains("<a href=\"/instances/7?a=1&amp;b=2\">"));
    assert!(!with("javascript:alert(1)").contains("<a "));
}

#[test]
fn pages_lend_their_colours_and_files_bring_their_own() {
    let chart = lines(2, |_| grows(10));
    let page = to_svg(&chart, SIZE, Variant::Page);
    assert!(page.contains("currentColor") && !page.contains("chart-background"));
    let file = to_svg(&chart, SIZE, Variant::Standalone);
    assert!(!file.contains("currentColor") && file.contains("chart-background"));
}

#[test]
fn charts_of_little_or_strange_data_are_drawn() {
    let log = || Axis::log("t (s)", 0.001);
    let charts = [
        lines(0, |_| Vec::new()),
        lines(1, |_| Vec::new()),
        lines(1, |_| vec![(1.0, 1.0)]),
        lines(3, |_| vec![(5.0, 2.0); 7]),
        lines(1, |_| vec![(0.0, 0.0), (1e100, 1e100)]),
        scatter(log(), log(), points([(0.0, 0.0), (-1.0, 1e19)])),
        scatter(Axis::linear("x"), Axis::linear("y"), points([(-1e100, 1e-100), (1e100, 0.0)])),
        scatter(log(), log(), Vec::new()),
    ];
    for chart in charts {
        let svg = to_svg(&chart, SIZE, Variant::Standalone);
        check_svg(&svg);
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        let tikz = to_tikz(&chart);
        assert!(!tikz.contains("NaN") && !tikz.contains("inf,"), "{tikz}");
        let is_empty = chart.series().iter().all(|series| series.rows.is_empty());
        assert_eq!(svg.contains("no data"), is_empty);
        assert_eq!(tikz.contains("no data"), is_empty);
        to_png(&chart, SIZE, 1.0).unwrap();
    }
}

#[test]
fn zero_on_a_logarithmic_axis_is_at_the_floor_and_said_so() {
    let at = |y: f64| {
        let log = Axis::log("t (s)", 0.001);
        let chart = scatter(Axis::linear("x"), log, points([(1.0, y), (2.0, 5.0)]));
        to_svg(&chart, SIZE, Variant::Page)
    };
    assert!(at(0.0).contains("≤ 0.001"));
    assert!(at(0.001).contains("≤ 0.001"));
    assert!(!at(0.002).contains('≤'));
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let of = |value: f64| {
        let line = Line { name: "s".to_owned(), points: vec![(value, 1.0)], look: None };
        let kind = Kind::Lines { series: vec![line], shape: Shape::Straight };
        Chart::new("", "", Axis::linear("x"), Axis::linear("y"), kind)
    };
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e200] {
        assert!(matches!(of(value), Err(ChartError::Value { .. })), "{value}");
    }
    assert!(of(1e100).is_ok());
    let bars = |values: Vec<f64>, x: Axis| {
        let kind =
            Kind::Stacked { series: vec![Bars::of("s", values)], stacking: Stacking::Counts };
        Chart::new("", "", x, Axis::categories("", vec!["one".to_owned()]), kind)
    };
    assert!(bars(vec![1.0], Axis::linear("x")).is_ok());
    let wrong = bars(vec![1.0, 2.0], Axis::linear("x"));
    assert_eq!(wrong, Err(ChartError::Length { series: "s".to_owned(), expected: 1, found: 2 }));
    assert!(matches!(bars(vec![-1.0], Axis::linear("x")), Err(ChartError::Value { .. })));
    assert!(matches!(bars(vec![1.0], Axis::log("x", 0.1)), Err(ChartError::Scale { .. })));
    let floor = Chart::new(
        "",
        "",
        Axis::log("x", 0.0),
        Axis::linear("y"),
        Kind::Points { groups: Vec::new(), guides: vec![Guide::Factor(1.0, String::new())] },
    );
    assert_eq!(floor, Err(ChartError::Floor(0.0)));
    let chart = lines(1, |_| grows(5));
    assert_eq!(to_png(&chart, SIZE, 0.0), Err(ChartError::Pixels));
    assert_eq!(to_png(&chart, SIZE, f32::NAN), Err(ChartError::Pixels));
    assert_eq!(to_png(&chart, SIZE, 1e6), Err(ChartError::Pixels));
}

#[test]
fn forty_series_look_different_and_are_all_in_the_legend() {
    let chart = lines(40, |n| vec![(0.0, 1.0), (9.0, n as f64 + 1.0)]);
    let svg = to_svg(&chart, chart.natural_size(720), Variant::Page);
    check_svg(&svg);
    for n in 0..40 {
        assert!(svg.contains(&format!(">series {n}</text>")), "{n}");
    }
    let swatches: HashSet<&str> = svg
        .lines()
        .filter(|line| line.contains("h24\""))
        .filter_map(|l| l.split("stroke=").nth(1))
        .collect();
    assert!(swatches.len() >= 35, "{}", swatches.len());
    // In a picture that is too small the legend says that it is not complete.
    let small = to_svg(&chart, Size { width: 300, height: 200 }, Variant::Page);
    assert!(small.contains(" more</text>"));
    check_svg(&small);
}

#[test]
fn a_hundred_thousand_points_stay_small_and_outliers_stay() {
    let mut many: Vec<Point> = (0..100_000u32)
        .map(|n| Point {
            x: 10f64.powf(f64::from(n.wrapping_mul(2_654_435_761) >> 12) / 350_000.0 - 3.0),
            y: 10f64.powf(f64::from(n.wrapping_mul(40_503) % 65_536) / 22_000.0 - 3.0),
            marker: None,
        })
        .collect();
    many.push(Point { x: 9_000.0, y: 0.001, marker: None });
    let log = || Axis::log("t (s)", 0.001);
    let written = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&written);
    let notes = Notes::lazy(move |n| {
        counter.fetch_add(1, Ordering::Relaxed);
        let tooltip = match n {
            100_000 => "far away".to_owned(),
            _ => format!("a/name/of/an/instance-{n}.smt2"),
        };
        Note { link: Some(format!("/instances/{n}")), tooltip: Some(tooltip) }
    });
    let chart = noted(log(), log(), many, notes);
    let svg = to_svg(&chart, SIZE, Variant::Page);
    assert!(svg.len() < 1_000_000, "{}", svg.len());
    assert!(svg.contains("<title>far away</title>"));
    // Texts are made for few more points than are drawn.
    let drawn = svg.matches("<a ").count();
    let written = written.load(Ordering::Relaxed);
    assert!(drawn > 1_000 && written < 3 * drawn, "{written} texts for {drawn} points");
    assert!(svg.contains(" instances, one is "));
    assert!(to_tikz(&chart).len() < 1_000_000);
    assert_eq!(chart.series()[0].rows.len(), 100_001);
}

#[test]
fn long_lines_are_thinned_and_keep_their_ends() {
    let rising = |_| (0..100_000).map(|n| (f64::from(n), f64::from(n) / 1e4)).collect();
    let svg = to_svg(&lines(40, rising), SIZE, Variant::Page);
    assert!(svg.len() < 1_000_000, "{}", svg.len());
    let svg = to_svg(&lines(1, |_| grows(60_000)), SIZE, Variant::Page);
    assert!(svg.len() < 100_000, "{}", svg.len());
}

#[test]
fn one_wrong_answer_among_thousands_is_seen() {
    let names = vec!["solver".to_owned()];
    let series = vec![Bars::of("wrong", [1.0]), Bars::of("sat", [9_999.0]), Bars::of("odd", [1.0])];
    let kind = Kind::Stacked { series, stacking: Stacking::Shares };
    let chart = Chart::new("", "", Axis::linear("%"), Axis::categories("", names), kind).unwrap();
    let svg = to_svg(&chart, SIZE, Variant::Page);
    let document = Document::parse(&svg).unwrap();
    let bars = document.descendants().filter(|node| node.attribute("class") == Some("chart-bar"));
    let widths: Vec<(String, f64)> = bars
        .map(|bar| {
            let title = bar.first_element_child().unwrap().text().unwrap().to_owned();
            (title, bar.attribute("width").unwrap().parse().unwrap())
        })
        .collect();
    // Thin pieces come last, so that nothing covers them.
    let titles: Vec<&str> = widths.iter().map(|(title, _)| title.as_str()).collect();
    assert!(titles[0].contains("sat 9,999") && titles[1].contains("wrong 1 (0.0 %)"), "{titles:?}");
    assert!(widths.iter().all(|(_, width)| *width >= 2.0), "{widths:?}");
}

#[test]
fn a_gap_in_a_timeline_interrupts_its_line() {
    let cells = |middle| vec![Cell::of(1.0), Cell::of(2.0), middle, Cell::of(2.0), Cell::of(3.0)];
    let pieces = |middle| {
        let names = (0..5).map(|n| format!("1.{n}")).collect();
        let series = vec![Bars { name: "s".to_owned(), cells: cells(middle), look: None }];
        let (x, y) = (Axis::categories("release", names), Axis::linear("solved"));
        let chart = Chart::new("", "", x, y, Kind::Timeline { series }).unwrap();
        let svg = to_svg(&chart, SIZE, Variant::Page);
        (svg.matches("class=\"chart-line\"").count(), chart.series()[0].rows[2].y.clone())
    };
    assert_eq!(pieces(Cell::of(5.0)), (1, Value::Number(5.0)));
    assert_eq!(pieces(Cell::default()), (2, Value::Missing));
}

/// A picture as rows of pixels, each of red, green and blue.
struct Pixels {
    width: usize,
    rows: Vec<Vec<[u8; 3]>>,
}

impl Pixels {
    fn decode(png: &[u8]) -> Self {
        let mut reader = png::Decoder::new(Cursor::new(png)).read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        assert_eq!((info.color_type, info.bit_depth), (png::ColorType::Rgb, png::BitDepth::Eight));
        let pixels: Vec<[u8; 3]> = bytes.chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect();
        let width = info.width as usize;
        Pixels { width, rows: pixels.chunks(width).map(<[_]>::to_vec).collect() }
    }

    fn of(chart: &Chart, scale: f32) -> Self {
        Self::decode(&to_png(chart, SIZE, scale).unwrap())
    }

    /// How many pixels of a part are darker than half.
    fn dark(&self, columns: Range<usize>, rows: Range<usize>) -> usize {
        let pixels = self.rows[rows].iter().flat_map(|row| &row[columns.clone()]);
        pixels.filter(|pixel| pixel.iter().all(|&part| part < 128)).count()
    }
}

#[test]
fn pictures_have_the_size_that_was_asked_for_and_something_on_them() {
    for chart in every_kind("name") {
        let png = to_png(&chart, SIZE, 1.5).unwrap();
        let pixels = Pixels::decode(&png);
        assert_eq!((pixels.width, pixels.rows.len()), (960, 600));
        let colours: HashSet<[u8; 3]> = pixels.rows.iter().flatten().copied().collect();
        assert!(colours.len() > 20, "{}", colours.len());
        assert_eq!(png, to_png(&chart, SIZE, 1.5).unwrap());
        assert_eq!(to_svg(&chart, SIZE, Variant::Page), to_svg(&chart, SIZE, Variant::Page));
        assert_eq!(tikz_document(&chart), tikz_document(&chart));
    }
}

fn titled(title: &str) -> Chart {
    let kind = Kind::Points { groups: vec![PointGroup::default()], guides: Vec::new() };
    Chart::new(title, "", Axis::linear(""), Axis::linear(""), kind).unwrap()
}

#[test]
fn letters_are_drawn_with_the_font_that_comes_with_us() {
    // The title is centred; its letters are from 6 to 24 pixels below the upper edge.
    let dark = |title: &str, columns| Pixels::of(&titled(title), 1.0).dark(columns, 6..24);
    for title in ["z3@4.13", "Löser", "λύτης", "решатель", "∀x∈Σ"] {
        assert!(dark(title, 260..380) > 60, "{title}: {}", dark(title, 260..380));
        assert_eq!(dark(title, 0..200) + dark(title, 440..640), 0, "{title}");
    }
    assert!(dark("mmmmmmmmmmmmmmmmmmmm", 200..440) > dark("iiiiiiiiiiiiiiiiiiii", 200..440));
    // What the font lacks is a box, so that something is seen for every character.
    assert!(dark("漢字", 260..380) > 20);
    let pictures: HashSet<Vec<u8>> =
        ["ab", "ba", "äb", "漢b"].map(|title| to_png(&titled(title), SIZE, 1.0).unwrap()).into();
    assert_eq!(pictures.len(), 4);
}

#[test]
fn labels_of_axes_and_legend_are_drawn_in_their_places() {
    let of = |name: &str, beside: &str| {
        let series = vec![Bars::of(name, [3.0])];
        let names = Axis::categories("", vec![beside.to_owned()]);
        let kind = Kind::Stacked { series, stacking: Stacking::Counts };
        Pixels::of(&Chart::new("", "", Axis::linear("n"), names, kind).unwrap(), 1.0)
    };
    let (with, without) = (of("series", "solver"), of(" ", "      "));
    // The legend is below everything else, its first text after the swatch.
    assert!(with.dark(42..90, 375..395) > 30 && without.dark(42..90, 375..395) == 0);
    // The name of the bar is beside the middle of the plot.
    let (left, middle) = (0..34, 150..200);
    assert!(with.dark(left.clone(), middle.clone()) > 30 && without.dark(left, middle) == 0);
}

#[test]
fn hatchings_differ_in_pixels() {
    let picture = |hatch: Hatch| {
        let look = Some(Look::nth(0).with_hatch(hatch));
        let series = vec![Bars { look, ..Bars::of("s", [3.0]) }];
        let names = Axis::categories("", vec!["one".to_owned()]);
        let kind = Kind::Stacked { series, stacking: Stacking::Counts };
        to_png(&Chart::new("", "", Axis::linear("n"), names, kind).unwrap(), SIZE, 1.5).unwrap()
    };
    let pictures: HashSet<Vec<u8>> = Hatch::ALL.map(picture).into();
    assert_eq!(pictures.len(), Hatch::ALL.len());
}

/// The labels below the plot: where each stands and how much room it takes.
fn labels_below(svg: &str) -> Vec<(f64, f64)> {
    let document = Document::parse(svg).unwrap();
    let texts = document.descendants().filter(|node| {
        let is_title = node.attribute("font-size").is_some();
        node.has_tag_name(("http://www.w3.org/2000/svg", "text"))
            && !is_title
            && node.attribute("text-anchor") == Some("middle")
    });
    let mut found: Vec<(f64, f64)> = texts
        .map(|node| {
            let x: f64 = node.attribute("x").unwrap().parse().unwrap();
            // 6.4 pixels are the width of a digit of DejaVu Sans at 11 pixels, and 7 of a digit.
            (x, node.text().unwrap_or_default().chars().count() as f64 * 7.0)
        })
        .collect();
    found.sort_by(|left, right| left.0.total_cmp(&right.0));
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_name_gives_well_formed_svg(name in any::<String>()) {
        for chart in every_kind(&name) {
            check_svg(&to_svg(&chart, SIZE, Variant::Page));
        }
    }

    #[test]
    fn any_name_leaves_braces_of_tikz_balanced(name in "[\\PC\\\\{}%_$&#^~]{0,30}") {
        for chart in every_kind(&name) {
            let mut depth = 0i64;
            for line in to_tikz(&chart).lines().filter(|line| !line.starts_with('%')) {
                let plain = line.replace("\\{", "").replace("\\}", "").replace("\\%", "");
                prop_assert!(!plain.contains('%') || plain.ends_with("{%"), "{}", line);
                for c in plain.chars() {
                    depth += i64::from(c == '{') - i64::from(c == '}');
                    prop_assert!(depth >= 0, "{}", line);
                }
            }
            prop_assert_eq!(depth, 0);
        }
    }

    #[test]
    fn numbers_below_the_plot_never_overlap(
        low in -1e6f64..1e6, span in 0f64..1e7, exponent in -8i32..40, width in 200u32..1200,
    ) {
        let size = Size { width, height: 400 };
        let power = 10f64.powi(exponent);
        let linear = points([(low * power, 1.0), ((low + span) * power, 1.0)]);
        let log = points([(1e-3, 1.0), (span.max(1.0) * power.max(1.0), 1.0)]);
        for chart in [
            scatter(Axis::linear("x"), Axis::linear("y"), linear),
            scatter(Axis::log("x", 1e-3), Axis::linear("y"), log),
        ] {
            for pair in labels_below(&to_svg(&chart, size, Variant::Page)).windows(2) {
                let (from, to) = (pair[0].0 + pair[0].1 / 2.0, pair[1].0 - pair[1].1 / 2.0);
                prop_assert!(from <= to, "{:?}", pair);
            }
        }
    }
}
