//! The pages in a real Chromium. `cargo xtask browser` installs it and runs these tests.
//!
//! Each test ends with the same question: was there an error in the console, or a request to
//! another host?
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

#[path = "../common/mod.rs"]
mod common;

mod accessibility;
mod audit;
mod compare;
mod harness;
mod layout;
mod site;

use common::{HOSTILE_SHOWN, HOSTILE_SOLVER, sat, timed_out};
use harness::{Browser, Site};
use luthier_records::ModelOutcome;
use luthier_store::Store;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium: cargo xtask browser"]
async fn one_can_walk_from_the_overview_to_a_run_and_hostile_names_are_text() {
    let site = Site::new().await;
    let browser = Browser::start().await;
    browser.open(&site.address("/")).await;
    assert_eq!(browser.text("h1").await, "results.db");
    assert!(browser.text("main").await.contains(HOSTILE_SOLVER));
    browser.click("th.set a[href='/set/1']").await;
    browser.wait_for("document.querySelector('h1').textContent === 'troubles'").await;
    assert!(browser.count("figure.chart svg").await >= 3, "charts are drawn");
    assert!(browser.number("document.querySelector('figure.chart svg').clientHeight").await > 50.0);
    browser.click("table.instances tbody th a").await;
    let title = serde_json::to_string(HOSTILE_SHOWN).unwrap();
    browser.wait_for(&format!("document.querySelector('h1').textContent === {title}")).await;
    assert_eq!(browser.count("pre.lines .line").await, 6);
    assert!(browser.text("main").await.contains("✗ invalid model"));
    // The false assertion leads to its line.
    browser.click(".trace a[href='#L5']").await;
    browser.wait_for("location.hash === '#L5'").await;
    browser.click("#runs ~ .scroll tbody td:last-child a").await;
    browser.wait_for("location.pathname.startsWith('/run/')").await;
    browser.click("nav.path li:nth-last-child(2) a").await;
    browser.wait_for("location.pathname.startsWith('/instance/')").await;
    browser.click("header.top nav a[href='/findings']").await;
    browser.wait_for("document.querySelector('h1').textContent === 'Findings'").await;
    browser.finish(&site).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium: cargo xtask browser"]
async fn tables_are_sorted_forms_send_themselves_and_addresses_can_be_shared() {
    let site = Site::new().await;
    let browser = Browser::start().await;
    browser.open(&site.address("/set/2?page=2")).await;
    let first = "document.querySelector('table.instances tbody th').textContent.trim()";
    assert_eq!(browser.value(first).await, json!("folder/file-100.smt2"));
    browser.click("table.instances thead th:first-child button.sort").await;
    assert_eq!(browser.value(first).await, json!("folder/file-100.smt2"));
    browser.click("table.instances thead th:first-child button.sort").await;
    assert_eq!(browser.value(first).await, json!("folder/file-199.smt2"));
    let sorted = "document.querySelector('table.instances thead th').getAttribute('aria-sort')";
    assert_eq!(browser.value(sorted).await, json!("descending"));
    browser.click("nav.pager a[rel=next]").await;
    browser.wait_for("location.search === '?page=3'").await;
    browser.open(&site.address("/findings")).await;
    browser
        .run(
            "const kind = document.querySelector('select[name=kind]'); kind.value = 'crash';
              kind.dispatchEvent(new Event('change', { bubbles: true }));",
        )
        .await;
    browser.wait_for("new URLSearchParams(location.search).get('kind') === 'crash'").await;
    assert_eq!(browser.count("main section").await, 1);
    assert_eq!(browser.value("document.querySelector('select[name=kind]').value").await, "crash");
    browser.finish(&site).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium: cargo xtask browser"]
async fn the_keyboard_skips_to_the_content_and_the_menu_closes() {
    let site = Site::new().await;
    let browser = Browser::start().await;
    browser.open(&site.address("/findings")).await;
    browser.press("Tab").await;
    assert_eq!(browser.value("document.activeElement.className").await, json!("skip"));
    assert!(browser.number("document.activeElement.getBoundingClientRect().top").await >= 0.0);
    browser.press("Enter").await;
    browser.wait_for("location.hash === '#main' && document.activeElement.id === 'main'").await;
    browser.click(".menu summary").await;
    assert_eq!(browser.value("document.querySelector('.menu details').open").await, json!(true));
    browser.press("Escape").await;
    assert_eq!(browser.value("document.querySelector('.menu details').open").await, json!(false));
    // Boxes that scroll can be reached, and everything that can has a visible mark.
    let reachable = "[...document.querySelectorAll('.scroll')].every((box) => box.tabIndex === 0 \
                     && box.getAttribute('aria-label'))";
    assert_eq!(browser.value(reachable).await, json!(true));
    browser.finish(&site).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium: cargo xtask browser"]
async fn pages_are_light_and_dark_wide_and_narrow() {
    let site = Site::new().await;
    let browser = Browser::start().await;
    let brightness = "(() => { const parts = getComputedStyle(document.body).backgroundColor
        .match(/\\d+/g).map(Number); return (parts[0] + parts[1] + parts[2]) / 3; })()";
    let instance = format!("/instance/{}", site.database.instances[0].0);
    let run = site.address("/run/1");
    let pages = [site.address("/"), site.address("/set/2"), site.address(&instance), run];
    for address in &pages {
        browser.resize(1280, 900).await;
        browser.prefer("light").await;
        browser.open(address).await;
        assert!(browser.number(brightness).await > 200.0, "{address}");
        browser.prefer("dark").await;
        assert!(browser.number(brightness).await < 60.0, "{address}");
        // The contrast of text with the paper, by the rule of WCAG.
        assert!(browser.number(CONTRAST).await >= 4.5, "{address}");
        browser.prefer("light").await;
        assert!(browser.number(CONTRAST).await >= 4.5, "{address}");
        browser.resize(400, 800).await;
        let overflow = "document.documentElement.scrollWidth - window.innerWidth";
        assert!(browser.number(overflow).await <= 1.0, "{address} is wider than a small screen");
    }
    browser.finish(&site).await;
}

/// The lowest contrast of any text in the page with what is behind it.
const CONTRAST: &str = "(() => {
    const channel = (value) => value <= 10.31 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4;
    const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
    const parse = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
    const behind = (element) => {
        for (let node = element; node; node = node.parentElement) {
            const colour = parse(getComputedStyle(node).backgroundColor);
            if (colour.length === 3 || colour[3] === 1) return colour;
        }
        return [255, 255, 255];
    };
    let lowest = 21;
    for (const element of document.querySelectorAll('main *')) {
        const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
        if (!own || element.closest('svg') || !element.offsetParent) continue;
        const [front, back] = [parse(getComputedStyle(element).color), behind(element)].map(luminance);
        lowest = Math.min(lowest, (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05));
    }
    return lowest;
})()";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium: cargo xtask browser"]
async fn an_open_page_follows_the_campaign_and_survives_a_restart() {
    let mut site = Site::new().await;
    let browser = Browser::start().await;
    browser.resize(1280, 500).await;
    browser.open(&site.address("/")).await;
    browser.wait_for("document.getElementById('follow').classList.contains('following')").await;
    assert!(browser.text("#follow").await.contains("204 runs"));
    browser.run("window.mine = 1; window.scrollTo(0, 300); document.querySelector('th.set a').focus({ preventScroll: true });").await;
    let mut store = Store::open(site.database.path()).unwrap();
    site.database.add(&mut store, 1, 100, &timed_out());
    site.database.add(&mut store, 1, 101, &sat("ab", ModelOutcome::Valid, None));
    drop(store);
    browser.wait_for("document.getElementById('follow').textContent.includes('206 runs')").await;
    assert!(browser.text("main").await.contains("A campaign is running"));
    // It is the same page: nothing was loaded anew, nothing jumped, the focus is where it was.
    assert_eq!(browser.value("window.mine").await, json!(1));
    assert_eq!(browser.number("window.scrollY").await, 300.0);
    assert_eq!(browser.value("document.activeElement.matches('th.set a')").await, json!(true));
    site.stop().await;
    browser.wait_for("document.getElementById('follow').classList.contains('lost')").await;
    let mut store = Store::open(site.database.path()).unwrap();
    site.database.add(&mut store, 1, 102, &timed_out());
    drop(store);
    site.start_again().await;
    browser.wait_for("document.getElementById('follow').textContent.includes('207 runs')").await;
    browser.wait_for("document.getElementById('follow').classList.contains('following')").await;
    assert_eq!(browser.value("window.mine").await, json!(1));
    browser.forgive_lost_connections();
    browser.finish(&site).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium: cargo xtask browser"]
async fn everything_can_be_read_without_script() {
    let site = Site::new().await;
    let browser = Browser::start().await;
    browser.without_script().await;
    for (address, part) in [
        ("/".to_owned(), "virtual best"),
        ("/set/2".to_owned(), "folder/file-000.smt2"),
        (format!("/instance/{}", site.database.instances[0].0), "✗ wrong"),
        ("/findings?kind=crash".to_owned(), "signal 11 (SIGSEGV)"),
    ] {
        browser.open(&site.address(&address)).await;
        assert!(browser.text("main").await.contains(part), "{address}");
        assert_eq!(browser.shown("button[data-copy]").await, 0, "no button that does nothing");
    }
    browser.finish(&site).await;
}
