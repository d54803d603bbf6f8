//! Layout in a browser: headings of tables that stay, and screens of the width of a phone.

use serde_json::json;

use crate::harness::{Browser, Site};

/// Scrolls a row of the longest table to the middle of the window, as somebody would who
/// reads it, and says whether its headings can still be seen: they are below the head of the page,
/// above the row, and nothing covers them.
const HEADINGS_STAY: &str = "(() => {
    const tables = [...document.querySelectorAll('main table')].filter((table) => table.tHead);
    const rows = (table) => table.querySelectorAll('tbody tr').length;
    const table = tables.sort((left, right) => rows(right) - rows(left))[0];
    const row = [...table.querySelectorAll('tbody tr')].at(ROW);
    row.scrollIntoView({ block: 'center', behavior: 'instant' });
    window.dispatchEvent(new Event('scroll'));
    const heading = table.tHead.rows[0].cells[0].getBoundingClientRect();
    const head = document.querySelector('header.top').getBoundingClientRect();
    const seen = document.elementFromPoint(heading.left + 8, (heading.top + heading.bottom) / 2);
    const wrong = [];
    if (table.tHead.getBoundingClientRect().height > innerHeight / 2) wrong.push('headings fill the window');
    if (heading.top < Math.max(0, head.bottom) - 1) wrong.push(`above the page: ${heading.top}`);
    if (heading.bottom > row.getBoundingClientRect().top) wrong.push('below its row');
    if (!seen || !table.tHead.contains(seen)) wrong.push('covered');
    if (window.scrollY === 0) wrong.push('the page was not scrolled');
    return wrong.join(', ');
})()";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium: cargo xtask browser"]
async fn headings_of_tables_stay_while_the_page_is_scrolled() {
    let site = Site::new().await;
    let browser = Browser::start().await;
    for (width, height) in [(1280, 700), (700, 600), (400, 700)] {
        browser.resize(width, height).await;
        for path in ["/set/2", "/compare", "/compare?sort=-place&page=2"] {
            browser.open(&site.address(path)).await;
            browser.wait_for("document.querySelector('button.sort, a.sort')").await;
            for row in ["30", "-3"] {
                let found = browser.value(&HEADINGS_STAY.replace("ROW", row)).await;
                assert_eq!(found, json!(""), "row {row} of {path} at {width} × {height}");
            }
        }
    }
    // On a wide window tables need no box of their own.
    browser.resize(1280, 700).await;
    browser.open(&site.address("/compare")).await;
    browser.wait_for("document.querySelector('.scroll.fits table.compared')").await;
    browser.finish(&site).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium: cargo xtask browser"]
async fn headings_stay_without_script() {
    let site = Site::new().await;
    let browser = Browser::start().await;
    browser.without_script().await;
    browser.open(&site.address("/compare")).await;
    assert_eq!(browser.count(".scroll.fits").await, 0);
    let found = browser.value(&HEADINGS_STAY.replace("ROW", "50")).await;
    assert_eq!(found, json!(""));
    browser.finish(&site).await;
}

/// What is wrong with a page on a phone: something reaches beyond the window, or a row of a table
/// says `✗` only where nobody sees it without scrolling sideways.
const ON_A_PHONE: &str = "(() => {
    const wrong = [];
    const width = document.scrollingElement.scrollWidth;
    if (width > 400) wrong.push(`the page is ${width} wide`);
    const isShown = (one) => one.getClientRects().length > 0;
    const isInView = (one) => {
        const { left, right } = one.getBoundingClientRect();
        return left >= 0 && right <= 400;
    };
    for (const row of document.querySelectorAll('main tr')) {
        const signs = [...row.querySelectorAll('.wrong')].filter(isShown);
        if (signs.length && !signs.some(isInView)) wrong.push(`hidden: ${row.textContent.slice(0, 80)}`);
    }
    for (const chart of document.querySelectorAll('figure.chart svg')) {
        if (!isShown(chart)) continue;
        const scale = chart.getBoundingClientRect().width / chart.viewBox.baseVal.width;
        if (scale * 11 < 9) wrong.push(`letters of a chart are ${scale * 11} pixels high`);
    }
    return wrong.join('; ');
})()";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium: cargo xtask browser"]
async fn every_page_fits_a_phone_and_wrong_answers_are_in_view() {
    let site = Site::new().await;
    let browser = Browser::start().await;
    browser.resize(400, 800).await;
    let instance = |index: usize| format!("/instance/{}", site.database.instances[index].0);
    let mut pages: Vec<String> = ["/", "/set/1", "/set/2", "/track/1", "/compare", "/changes"]
        .into_iter()
        .chain(["/compare?kind=wrong", "/operators", "/findings", "/findings?kind=crash"])
        .map(str::to_owned)
        .collect();
    pages.extend([instance(0), instance(1), "/run/1".to_owned(), "/run/2".to_owned()]);
    pages.extend(site.database.solvers.iter().map(|solver| format!("/solver/{}", solver.0)));
    let (mut with_signs, mut faults) = (0, Vec::new());
    for path in &pages {
        browser.open(&site.address(path)).await;
        browser
            .run(
                "document.querySelectorAll('main details').forEach((one) => { one.open = true; });",
            )
            .await;
        let found = browser.value(ON_A_PHONE).await;
        if found != json!("") {
            faults.push(format!("{path}: {found}"));
        }
        with_signs += usize::from(browser.count("main .wrong, main .is-wrong").await > 0);
    }
    assert!(faults.is_empty(), "{faults:#?}");
    assert!(with_signs >= 10, "signs were seen on {with_signs} pages");
    browser.finish(&site).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium: cargo xtask browser"]
async fn entries_of_legends_switch_series_by_mouse_and_keyboard() {
    let site = Site::new().await;
    let browser = Browser::start().await;
    browser.open(&site.address("/")).await;
    let entry = "figure.chart .wide .chart-entry";
    let pressed =
        "document.querySelector('figure.chart .wide .chart-entry').getAttribute('aria-pressed')";
    browser.wait_for(&format!("{pressed} === 'true'")).await;
    let number = "document.querySelector('figure.chart .wide .chart-entry').dataset.entry";
    assert_eq!(browser.value(number).await, json!("0"));
    let shown = "[...document.querySelector('figure.chart .wide svg').querySelectorAll('[data-series=\"0\"]')]
        .filter((one) => one.getClientRects().length).length";
    let before = browser.number(shown).await;
    assert!(before > 0.0, "the first series is drawn");
    browser.click(entry).await;
    assert_eq!(browser.value(pressed).await, json!("false"));
    assert_eq!(browser.number(shown).await, 0.0);
    browser.run("document.querySelector('figure.chart .wide .chart-entry').focus();").await;
    browser.press("Enter").await;
    assert_eq!(browser.value(pressed).await, json!("true"));
    assert_eq!(browser.number(shown).await, before);
    browser.press(" ").await;
    assert_eq!(browser.value(pressed).await, json!("false"));
    browser.finish(&site).await;
}
