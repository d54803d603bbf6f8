//! The audit in a browser: it appears when it is made, leads to models, and fits a phone.

use serde_json::json;

use crate::common::Database;
use crate::harness::{Browser, Site};

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium and axe-core: cargo xtask browser"]
async fn one_can_walk_from_the_audit_to_the_model_that_refutes_an_annotation() {
    let site = Site::of(Database::annotated()).await;
    let browser = Browser::start().await;
    browser.open(&site.address("/")).await;
    browser.click("header.top nav a[href='/audit']").await;
    // Whatever the first page says, the figures come without a reload.
    browser.wait_for("document.querySelector('#sets') !== null").await;
    browser.wait_for("document.querySelector('main [data-unfinished]') === null").await;
    browser.click("section[aria-labelledby=sets] tbody a[href='/audit?set=3']").await;
    browser.wait_for("document.querySelector('h1').textContent === 'Audit of annotated'").await;
    browser.wait_for("document.querySelector('main [data-unfinished]') === null").await;
    assert_eq!(browser.count("section[aria-labelledby=wrong] tbody tr").await, 4);
    // Tables are sorted by their headings.
    browser.click("section[aria-labelledby=operators] thead th:first-child button.sort").await;
    let first = "document.querySelector('section[aria-labelledby=operators] tbody th').textContent";
    assert_eq!(browser.value(first).await, json!("str.len"));
    browser.click("section[aria-labelledby=wrong] tbody a[href$='#evaluation']").await;
    browser.wait_for("location.hash === '#evaluation'").await;
    assert!(browser.count("section[aria-labelledby=evaluation] tbody tr").await > 2, "values");
    browser.finish(&site).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium and axe-core: cargo xtask browser"]
async fn the_audit_fits_every_window_and_has_no_violation_of_accessibility() {
    let site = Site::of(Database::annotated()).await;
    let browser = Browser::start().await;
    browser.bring_axe().await;
    for path in ["/audit", "/audit?set=3"] {
        browser.open(&site.address(path)).await;
        browser.wait_for("document.querySelector('main [data-unfinished]') === null").await;
        let open =
            "document.querySelectorAll('main details').forEach((one) => { one.open = true; });";
        browser.run(open).await;
        for width in [1600, 1030, 680, 400, 320] {
            browser.resize(width, 800).await;
            let overflow = "document.scrollingElement.scrollWidth - window.innerWidth";
            assert!(browser.number(overflow).await <= 0.0, "{path} at {width}");
        }
        // The sign of a wrong annotation is in view without scrolling sideways.
        browser.resize(400, 800).await;
        let hidden = "[...document.querySelectorAll('main .wrong')].filter((sign) => {
            const { left, right } = sign.getBoundingClientRect();
            return left < 0 || right > 400;
        }).length";
        assert!(browser.count("main strong.wrong").await >= 4);
        assert_eq!(browser.number(hidden).await, 0.0, "{path}");
        for scheme in ["light", "dark"] {
            browser.prefer(scheme).await;
            // The note about the refreshed page has faded.
            browser.wait_for("document.getAnimations().length === 0").await;
            let violations = browser.violations(json!({})).await;
            assert!(violations.is_empty(), "{path}, {scheme}: {violations:#?}");
        }
    }
    browser.finish(&site).await;
}
