//! Layout in a browser: headings of tables that stay, and screens of the width of a phone.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::{Browser, Site};

/// Scrolls to a row of the longest table, as somebody would who reads it, and says whether its
/// headings can still be seen: they are below the head of the page, above the row, and nothing
/// covers them. A table in a box that scrolls is read in it.
const HEADINGS_STAY: &str = "(() => {
    const tables = [...document.querySelectorAll('main table')].filter((table) => table.tHead);
    const rows = (table) => table.querySelectorAll('tbody tr').length;
    const table = tables.sort((left, right) => rows(right) - rows(left))[0];
    const row = [...table.querySelectorAll('tbody tr')].at(ROW);
    const box = table.parentElement;
    if (getComputedStyle(box).overflowY === 'auto') {
        box.scrollIntoView({ block: 'end', behavior: 'instant' });
        box.scrollTop = row.offsetTop - box.clientHeight / 2;
    } else {
        row.scrollIntoView({ block: 'center', behavior: 'instant' });
    }
    const heading = table.tHead.rows[0].cells[0].getBoundingClientRect();
    const head = document.querySelector('header.top').getBoundingClientRect();
    const seen = document.elementFromPoint(heading.left + 8, (heading.top + heading.bottom) / 2);
    const { top, bottom } = row.getBoundingClientRect();
    const wrong = [];
    if (table.tHead.getBoundingClientRect().height > innerHeight / 2) wrong.push('headings fill the window');
    if (heading.top < Math.max(0, head.bottom) - 1) wrong.push(`above the page: ${heading.top}`);
    if (heading.bottom > top) wrong.push('below its row');
    if (bottom > innerHeight) wrong.push('the row is not in view');
    if (!seen || !table.tHead.contains(seen)) wrong.push('covered');
    if (window.scrollY === 0) wrong.push('the page was not scrolled');
    return wrong.join(', ');
})()";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium: cargo xtask browser"]
async fn headings_of_tables_stay_while_the_page_is_scrolled() {
    let site = Site::new().await;
    let browser = Browser::start().await;
    for path in ["/set/2", "/compare", "/compare?sort=-place&page=2"] {
        browser.open(&site.address(path)).await;
        for (width, height) in [(1280, 700), (700, 600), (400, 700)] {
            browser.resize(width, height).await;
            for row in ["30", "-3"] {
                let found = browser.value(&HEADINGS_STAY.replace("ROW", row)).await;
                assert_eq!(found, json!(""), "row {row} of {path} at {width} × {height}");
            }
        }
        // On a wide window the page scrolls, not a box in it.
        browser.resize(1280, 700).await;
        let overflow =
            "getComputedStyle(document.querySelector('table.instances').parentElement).overflow";
        assert_eq!(browser.value(overflow).await, json!("visible"), "{path}");
    }
    browser.finish(&site).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium: cargo xtask browser"]
async fn headings_stay_without_script() {
    let site = Site::new().await;
    let browser = Browser::start().await;
    browser.without_script().await;
    browser.open(&site.address("/compare")).await;
    for width in [1280, 400] {
        browser.resize(width, 700).await;
        let found = browser.value(&HEADINGS_STAY.replace("ROW", "50")).await;
        assert_eq!(found, json!(""), "{width}");
    }
    browser.finish(&site).await;
}

/// How much wider a page is than its window.
const OVERFLOW: &str = "document.scrollingElement.scrollWidth - window.innerWidth";

/// What is wrong with a page on a phone: something reaches beyond the window, or a row of a table
/// says `✗` only where nobody sees it without scrolling sideways.
const ON_A_PHONE: &str = "(() => {
    const wrong = [];
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
async fn every_page_fits_every_window_and_wrong_answers_are_in_view_on_a_phone() {
    let site = Site::new().await;
    let browser = Browser::start().await;
    let (mut with_signs, mut faults) = (0, Vec::new());
    for path in site.pages() {
        browser.open(&site.address(&path)).await;
        browser
            .run(
                "document.querySelectorAll('main details').forEach((one) => { one.open = true; });",
            )
            .await;
        for width in [1600, 1260, 1030, 970, 680, 400, 320] {
            browser.resize(width, 800).await;
            let overflow = browser.number(OVERFLOW).await;
            if overflow > 0.0 {
                faults.push(format!("{path} at {width}: {overflow} pixels too wide"));
            }
        }
        browser.resize(400, 800).await;
        let found = browser.value(ON_A_PHONE).await;
        if found != json!("") {
            faults.push(format!("{path}: {found}"));
        }
        let signs = "document.querySelectorAll('main .wrong, main .is-wrong').length";
        with_signs += usize::from(browser.number(signs).await > 0.0);
    }
    assert!(faults.is_empty(), "{faults:#?}");
    assert!(with_signs >= 10, "signs were seen on {with_signs} pages");
    browser.finish(&site).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium: cargo xtask browser"]
async fn many_pages_after_each_other_do_not_wait_for_connections() {
    let site = Site::new().await;
    let browser = Browser::start().await;
    let began = Instant::now();
    // A browser keeps pages that were left; if each kept its connection, the seventh would wait for
    // minutes.
    for _ in 0..4 {
        for path in ["/", "/findings", "/set/1", "/run/1"] {
            browser.open(&site.address(path)).await;
            browser
                .wait_for("document.getElementById('follow').classList.contains('following')")
                .await;
        }
    }
    assert!(began.elapsed() < Duration::from_secs(40), "it took {:?}", began.elapsed());
    // A page to which one goes back follows the database again.
    browser.run("history.back();").await;
    browser.wait_for("location.pathname === '/set/1'").await;
    browser.wait_for("document.getElementById('follow').classList.contains('following')").await;
    browser.finish(&site).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium: cargo xtask browser"]
async fn counts_lead_to_their_instances_and_downloads_have_all_rows() {
    let site = Site::new().await;
    let browser = Browser::start().await;
    browser.open(&site.address("/")).await;
    // cvc5 solved 197 of the 250 instances of the second set.
    let link = "table.matrix a[href='/compare?set=2&kind=solved&of=1']";
    assert_eq!(browser.text(link).await, "197");
    browser.click(link).await;
    browser.wait_for("document.querySelector('h1').textContent === 'Compare'").await;
    assert_eq!(browser.text("#matching").await, "197 of 250 instances");
    assert_eq!(browser.count("table.instances tbody tr").await, 100);
    let lines = browser.downloaded("p.download a[href^='/compare.csv']").await;
    assert_eq!(lines.len(), 1 + 197, "{:?}", lines.first());
    browser.open(&site.address("/")).await;
    let wrong = "table.matrix a.wrong[href='/compare?kind=refuted']";
    assert_eq!(browser.text(wrong).await, "✗ 1");
    browser.click(wrong).await;
    browser.wait_for("document.querySelector('h1').textContent === 'Compare'").await;
    assert_eq!(browser.text("#matching").await, "1 of 253 instances");
    assert_eq!(browser.count("table.instances tbody tr").await, 1);
    // Every chart and every table of every page has its files.
    for path in site.pages() {
        browser.open(&site.address(&path)).await;
        let without = "[...document.querySelectorAll('figure.chart')].filter((one) =>
            ['svg', 'png', 'csv'].some((kind) => !one.querySelector(`a[download][href*='.${kind}']`))).length";
        assert_eq!(browser.number(without).await, 0.0, "{path}: charts without files");
        let without = "[...document.querySelectorAll('main .scroll > table')].filter((one) =>
            !one.closest('section, details, div.beside > div').querySelector(\"a[download][href*='.csv']\"))
            .map((one) => one.textContent.slice(0, 60))";
        assert_eq!(browser.value(without).await, json!([]), "{path}: tables without a file");
        let unexplained = "[...document.querySelectorAll('main thead th[scope=col]')]
            .filter((one) => !one.title).map((one) => one.textContent)";
        assert_eq!(
            browser.value(unexplained).await,
            json!([]),
            "{path}: headings without a meaning"
        );
    }
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
