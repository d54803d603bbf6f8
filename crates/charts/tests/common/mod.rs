//! Charts for tests: one of every kind, with any names.

use luthier_charts::{
    Axis, Bars, Chart, Guide, Histogram, Kind, Line, Note, Notes, Point, PointGroup, Shape,
    Stacking,
};

/// One chart of every kind in which every text is `name`.
pub fn every_kind(name: &str) -> Vec<Chart> {
    let text = || name.to_owned();
    let vertices = vec![(1.0, 0.5), (2.0, 3.0), (3.0, 9.5)];
    let line = Line { name: text(), points: vertices, look: None };
    let notes = Notes::of(vec![Note { link: Some(text()), tooltip: Some(text()) }]);
    let group = PointGroup { name: text(), points: points([(0.5, 2.0)]), notes, look: None };
    let guides = vec![Guide::Vertical(10.0, text()), Guide::Factor(10.0, text())];
    let bars = || vec![Bars::of(text(), [3.0, 4.0]), Bars::of(text(), [1.0, 0.0])];
    let histogram = Histogram {
        edges: vec![0.0, 1.0, 2.0],
        first_is_open: true,
        extras: vec![text()],
        series: vec![Bars::of(text(), [1.0, 2.0, 3.0])],
    };
    let numbers = || Axis::linear(text());
    let times = || Axis::log(text(), 0.001);
    let names = || Axis::categories(text(), vec![text(), text()]);
    let parts = [
        (numbers(), times(), Kind::Lines { series: vec![line], shape: Shape::Steps }),
        (times(), times(), Kind::Points { groups: vec![group], guides }),
        (numbers(), names(), Kind::Stacked { series: bars(), stacking: Stacking::Shares }),
        (numbers(), names(), Kind::Grouped { series: bars() }),
        (numbers(), numbers(), Kind::Histogram(histogram)),
        (names(), numbers(), Kind::Timeline { series: bars() }),
    ];
    let chart = |(x, y, kind)| Chart::new(text(), text(), x, y, kind).unwrap();
    parts.map(chart).into()
}

/// Points without names.
pub fn points(places: impl IntoIterator<Item = (f64, f64)>) -> Vec<Point> {
    places.into_iter().map(|(x, y)| Point { x, y, ..Point::default() }).collect()
}

/// A chart of points.
pub fn scatter(x: Axis, y: Axis, points: Vec<Point>) -> Chart {
    noted(x, y, points, Notes::default())
}

/// A chart of points about which something is said.
pub fn noted(x: Axis, y: Axis, points: Vec<Point>, notes: Notes) -> Chart {
    let groups = vec![PointGroup { name: "all".to_owned(), points, notes, look: None }];
    Chart::new("points", "", x, y, Kind::Points { groups, guides: Vec::new() }).unwrap()
}
