//! Accessibility by axe-core in a browser: every kind of page, light and dark, wide and on a phone.
//!
//! `cargo xtask browser` fetches axe-core; nothing of it is in this repository. The rules are those of
//! WCAG 2 at the levels A and AA and the practices that axe-core recommends. What it calls serious or
//! critical fails.

use serde_json::{Value, json};

use crate::harness::{Browser, Site};

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium and axe-core: cargo xtask browser"]
async fn no_page_has_a_serious_violation_of_accessibility() {
    let site = Site::new().await;
    let browser = Browser::start().await;
    browser.bring_axe().await;
    // What it must find is found: an image without words, and grey on grey.
    browser.open(&site.address("/findings")).await;
    browser
        .run("document.querySelector('main').insertAdjacentHTML('beforeend', '<img src=\"/assets/icon.svg\">');
            document.querySelector('h1').style.color = '#ddd';")
        .await;
    let planted = browser.violations(json!({})).await.join("\n");
    assert!(planted.contains("image-alt") && planted.contains("color-contrast"), "{planted}");

    let only = |rules: &[&str]| json!({ "runOnly": { "type": "rule", "values": rules } });
    let contrast = only(&["color-contrast", "link-in-text-block"]);
    let without_contrast = json!({ "rules": { "color-contrast": { "enabled": false } } });
    let mut found = Vec::new();
    for path in site.pages() {
        browser.resize(1280, 900).await;
        browser.prefer("light").await;
        browser.open(&site.address(&path)).await;
        browser
            .run(
                "document.querySelectorAll('main details').forEach((one) => { one.open = true; });",
            )
            .await;
        let mut check = async |how: &str, options: &Value| {
            let violations = browser.violations(options.clone()).await;
            found.extend(violations.iter().map(|one| format!("{path}, {how}: {one}")));
        };
        // Colours do not depend on the width, and only they depend on the scheme.
        check("light", &json!({})).await;
        browser.prefer("dark").await;
        check("dark", &contrast).await;
        browser.resize(400, 800).await;
        check("on a phone", &without_contrast).await;
    }
    assert!(found.is_empty(), "{} violations:\n{}", found.len(), found.join("\n"));
    browser.finish(&site).await;
}
