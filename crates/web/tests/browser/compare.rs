//! Compare, run against run, and operators in a browser.

use serde_json::json;

use crate::CONTRAST;
use crate::common::HOSTILE_SHOWN;
use crate::harness::{Browser, Site};

/// The first instance of the table.
const FIRST: &str = "document.querySelector('table.instances tbody th').textContent.trim()";

/// The address without the host.
const HERE: &str = "location.pathname + location.search";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium: cargo xtask browser"]
async fn instances_are_filtered_sorted_and_paged_and_every_view_has_its_address() {
    let site = Site::new().await;
    let browser = Browser::start().await;
    browser.open(&site.address("/")).await;
    browser.click("header.top nav a[href='/compare']").await;
    browser.wait_for("document.querySelector('h1').textContent === 'Compare'").await;
    assert_eq!(browser.text("#matching").await, "All 253 instances");
    assert_eq!(browser.count("table.instances tbody tr").await, 100);
    browser.run("document.querySelector('select[name=kind]').value = 'crashed';").await;
    browser.click("form.choose button.main").await;
    browser.wait_for(&format!("{HERE} === '/compare?kind=crashed'")).await;
    assert_eq!(browser.text("#matching").await, "1 of 253 instances");
    assert!(browser.text("table.instances tbody").await.contains("crash.smt2"));
    // The same view again, from its address alone.
    browser.open(&site.address("/compare?kind=crashed")).await;
    assert_eq!(browser.value("document.querySelector('select[name=kind]').value").await, "crashed");
    assert_eq!(browser.count("table.instances tbody tr").await, 1);

    browser.open(&site.address("/compare?set=2&page=2")).await;
    assert_eq!(browser.value(FIRST).await, json!("many & more/folder/file-100.smt2"));
    browser.click(".pager a[rel=next]").await;
    browser.wait_for(&format!("{HERE} === '/compare?set=2&page=3'")).await;
    assert_eq!(browser.count("table.instances tbody tr").await, 50);
    browser.click("table.instances thead th:first-child a.sort").await;
    browser.wait_for(&format!("{HERE} === '/compare?set=2&sort=-place'")).await;
    assert_eq!(browser.value(FIRST).await, json!("many & more/folder/file-249.smt2"));
    let sorted = "document.querySelector('table.instances thead th').getAttribute('aria-sort')";
    assert_eq!(browser.value(sorted).await, json!("descending"));
    browser.finish(&site).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium: cargo xtask browser"]
async fn a_point_of_the_scatter_plot_leads_to_its_instance() {
    let site = Site::new().await;
    let browser = Browser::start().await;
    browser.open(&site.address("/compare")).await;
    assert_eq!(browser.count(".scatter svg a[href^='/instance/']").await, 2);
    let title = "document.querySelector('.scatter svg a title').textContent";
    assert!(browser.value(title).await.as_str().unwrap().contains("cvc5@1.4.2"));
    // Thousands of points must not stand between the form and the list.
    browser.run("document.querySelector('p.buttons a').focus();").await;
    browser.press("Tab").await;
    assert_eq!(browser.text("a:focus").await, "Skip the points");
    browser.press("Enter").await;
    browser.wait_for("location.hash === '#matching'").await;
    browser.click(".scatter svg a[href^='/instance/']").await;
    browser.wait_for("location.pathname.startsWith('/instance/')").await;
    assert!(browser.count("pre.lines .line").await > 0);
    browser.finish(&site).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium: cargo xtask browser"]
async fn the_keyboard_is_enough_to_compare() {
    let site = Site::new().await;
    let browser = Browser::start().await;
    browser.open(&site.address("/compare")).await;
    browser.press("Tab").await;
    browser.press("Enter").await;
    browser.wait_for("document.activeElement.id === 'main'").await;
    // The boxes of the solvers come first; without the last, two are compared.
    for solver in 0..3 {
        browser.press("Tab").await;
        let focused = format!(
            "document.activeElement === document.querySelectorAll('input[name=solver]')[{solver}]"
        );
        assert_eq!(browser.value(&focused).await, json!(true));
    }
    browser.press(" ").await;
    let mut presses = 0;
    while browser.value("document.activeElement.name").await != json!("text") {
        browser.press("Tab").await;
        presses += 1;
        assert!(presses < 20, "the field for texts is never reached");
    }
    for letter in ["c", "r", "a", "s", "h"] {
        browser.press(letter).await;
    }
    browser.press("Enter").await;
    let (cvc, z3) = (site.database.solvers[0].0, site.database.solvers[1].0);
    let address = format!("/compare?solver={cvc}&solver={z3}&text=crash");
    browser.wait_for(&format!("{HERE} === '{address}'")).await;
    assert_eq!(browser.count("table.instances tbody tr").await, 1);
    assert_eq!(browser.count("table.instances thead tr:first-child th").await, 5);
    browser.finish(&site).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium: cargo xtask browser"]
async fn forms_work_without_script_and_hostile_names_are_text() {
    let site = Site::new().await;
    let browser = Browser::start().await;
    browser.without_script().await;
    browser.open(&site.address("/compare?kind=invalid-model")).await;
    browser.click("fieldset.solvers label:last-child input").await;
    browser.click("form.choose button.main").await;
    // Without the solver whose model is wrong there is nothing left.
    assert_eq!(browser.text("#matching").await, "0 of 253 instances");
    browser.open(&site.address("/compare?kind=wrong")).await;
    assert!(browser.text("table.instances").await.contains(HOSTILE_SHOWN));
    browser.finish(&site).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium: cargo xtask browser"]
async fn changes_have_tabs_and_operators_lead_to_their_instances() {
    let site = Site::new().await;
    let browser = Browser::start().await;
    browser.open(&site.address("/changes")).await;
    assert!(browser.count("figure.chart svg").await >= 2, "before and after, and the releases");
    assert_eq!(browser.text("ul.tabs a[aria-current]").await, "2\nall changes");
    browser.click("ul.tabs a[href*='kind=verdict-changed']").await;
    browser.wait_for("location.search.includes('kind=verdict-changed')").await;
    assert_eq!(browser.count("table.instances tbody tr").await, 1);
    browser.click("table.instances thead th:last-child a.sort").await;
    browser.wait_for("location.search.endsWith('&sort=ratio')").await;

    // Features of files that were registered without them are found while the server runs.
    let site_address = site.address("/operators");
    for _ in 0..60 {
        browser.open(&site_address).await;
        if browser.count("table.operators tbody tr").await > 0 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    }
    assert_eq!(browser.count(".charts figure.chart .wide svg").await, 2);
    // Every file uses it.
    let count = browser.text("table.operators td a[href$='feature=str.len']").await;
    browser.click("table.operators td a[href$='feature=str.len']").await;
    browser.wait_for("document.querySelector('h1').textContent === 'Compare'").await;
    assert_eq!(browser.text("#matching").await, format!("All {count} instances"));
    assert_eq!(
        browser.value("document.querySelector('select[name=feature]').value").await,
        "str.len"
    );
    browser.finish(&site).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium: cargo xtask browser"]
async fn comparisons_can_be_read_in_light_and_dark_and_on_small_screens() {
    let site = Site::new().await;
    let browser = Browser::start().await;
    for path in ["/compare", "/changes", "/operators", "/compare?kind=wrong&page=2"] {
        browser.resize(1280, 900).await;
        browser.open(&site.address(path)).await;
        for scheme in ["light", "dark"] {
            browser.prefer(scheme).await;
            assert!(browser.number(CONTRAST).await >= 4.5, "{path} in {scheme}");
        }
        browser.resize(400, 800).await;
        let overflow = "document.documentElement.scrollWidth - window.innerWidth";
        assert!(browser.number(overflow).await <= 1.0, "{path} is wider than a small screen");
        let unnamed = "[...document.querySelectorAll('main input, main select')]
            .filter((field) => field.type !== 'hidden' && !field.labels.length).length";
        assert_eq!(browser.number(unnamed).await, 0.0, "{path}: every field has a label");
    }
    browser.finish(&site).await;
}
