// Makes pages a little handier. Everything can be read without it.
"use strict";

(() => {
    const SORTABLE_ROWS = 500;
    const followNote = () => document.getElementById("follow");

    // Tables that are small enough are sorted by a click on a heading.
    const valueOf = (row, column) => {
        const cell = row.cells[column];
        if (!cell) return "";
        const text = cell.dataset.sort ?? cell.textContent.trim();
        const number = Number(text.replaceAll(",", ""));
        return text !== "" && !Number.isNaN(number) ? number : text.toLowerCase();
    };

    const compare = (left, right) => {
        if (typeof left === "number" && typeof right === "number") return left - right;
        if (typeof left === "number") return -1;
        if (typeof right === "number") return 1;
        return left.localeCompare(right, "en", { numeric: true });
    };

    const sortBy = (table, column, ascending) => {
        const body = table.tBodies[0];
        const rows = Array.from(body.rows);
        const sign = ascending ? 1 : -1;
        rows.map((row) => [valueOf(row, column), row])
            .sort((left, right) => sign * compare(left[0], right[0]))
            .forEach(([, row]) => body.append(row));
        Array.from(table.tHead.rows[0].cells).forEach((head, index) => {
            if (index === column) head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
            else head.removeAttribute("aria-sort");
        });
    };

    const makeSortable = (table) => {
        if (table.tBodies.length !== 1 || table.tBodies[0].rows.length > SORTABLE_ROWS) return;
        if (table.tBodies[0].rows.length < 2 || !table.tHead) return;
        Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
            const button = document.createElement("button");
            button.type = "button";
            button.className = "sort";
            // A heading that leads somewhere keeps its link; a button has none inside it.
            if (head.querySelector("a")) button.setAttribute("aria-label", `Sort by ${head.textContent.trim()}`);
            else button.append(...head.childNodes);
            head.append(button);
            button.addEventListener("click", () => {
                sortBy(table, column, head.getAttribute("aria-sort") !== "ascending");
            });
        });
    };

    // Commands are copied with a button.
    const makeCopyable = (button) => {
        if (!navigator.clipboard) return;
        button.hidden = false;
        button.addEventListener("click", async () => {
            try {
                await navigator.clipboard.writeText(button.dataset.copy);
                button.textContent = "Copied";
            } catch {
                button.textContent = "Cannot copy";
            }
            setTimeout(() => { button.textContent = "Copy"; }, 1500);
        });
    };

    // Forms of filters need no button.
    const makeImmediate = (form) => {
        form.addEventListener("change", () => form.requestSubmit());
    };

    // Entries of a legend switch their series off and on.
    const makeSwitch = (entry) => {
        const chart = entry.closest("svg");
        chart.setAttribute("role", "group");
        entry.setAttribute("role", "button");
        entry.setAttribute("tabindex", "0");
        entry.setAttribute("aria-pressed", "true");
        const change = () => {
            const shown = entry.getAttribute("aria-pressed") !== "true";
            entry.setAttribute("aria-pressed", String(shown));
            chart.querySelectorAll(`[data-series="${entry.dataset.entry}"]`)
                .forEach((part) => part.classList.toggle("off", !shown));
        };
        entry.addEventListener("click", change);
        entry.addEventListener("keydown", (event) => {
            if (event.key !== "Enter" && event.key !== " ") return;
            event.preventDefault();
            change();
        });
    };

    const prepare = (root) => {
        root.querySelectorAll("table.sortable").forEach(makeSortable);
        root.querySelectorAll("button[data-copy]").forEach(makeCopyable);
        root.querySelectorAll("form.filter").forEach(makeImmediate);
        root.querySelectorAll(".chart-entry").forEach(makeSwitch);
    };

    // What the reader did with the page, so that it can be done again with a fresh one.
    const describe = (main) => {
        const tables = Array.from(main.querySelectorAll("table.sortable"));
        return {
            open: Array.from(main.querySelectorAll("details")).map((details) => details.open),
            sorted: tables.map((table) => {
                const heads = Array.from(table.tHead ? table.tHead.rows[0].cells : []);
                const column = heads.findIndex((head) => head.hasAttribute("aria-sort"));
                return column < 0 ? null : [column, heads[column].getAttribute("aria-sort") === "ascending"];
            }),
            off: Array.from(main.querySelectorAll(".chart-entry")).map((one) => one.getAttribute("aria-pressed") === "false"),
            boxes: Array.from(main.querySelectorAll(".scroll")).map((box) => [box.scrollLeft, box.scrollTop]),
            scroll: [window.scrollX, window.scrollY],
            focus: pathTo(main, document.activeElement),
        };
    };

    const restore = (main, state) => {
        const details = main.querySelectorAll("details");
        if (details.length === state.open.length) {
            details.forEach((element, index) => { element.open = state.open[index]; });
        }
        main.querySelectorAll("table.sortable").forEach((table, index) => {
            const sorted = state.sorted[index];
            if (sorted && table.tHead && table.tHead.querySelector("button.sort")) sortBy(table, ...sorted);
        });
        main.querySelectorAll(".scroll").forEach((box, index) => {
            if (state.boxes[index]) [box.scrollLeft, box.scrollTop] = state.boxes[index];
        });
        main.querySelectorAll(".chart-entry").forEach((entry, index) => {
            if (state.off[index]) entry.dispatchEvent(new Event("click"));
        });
        const focused = state.focus && at(main, state.focus);
        if (focused) focused.focus({ preventScroll: true });
        window.scrollTo(...state.scroll);
    };

    // An element so that its like can be found in a fresh page: by its id, else as the n-th with
    // the same name, address or form, since whole sections may come and go.
    const likes = (root, { tag, name }) => Array.from(root.querySelectorAll(tag))
        .filter((element) => nameOf(element) === name);

    const nameOf = (element) => element.id || element.getAttribute("href")
        || element.getAttribute("name") || element.getAttribute("aria-label") || element.textContent;

    const pathTo = (root, element) => {
        if (!element || element === root || !root.contains(element)) return null;
        const path = { tag: element.tagName, name: nameOf(element) };
        return { ...path, index: likes(root, path).indexOf(element) };
    };

    const at = (root, path) => likes(root, path)[path.index];

    const isTyping = (main) => {
        const active = document.activeElement;
        const selection = window.getSelection();
        const selects = selection && !selection.isCollapsed && main.contains(selection.anchorNode);
        return selects || (main.contains(active) && /^(INPUT|SELECT|TEXTAREA)$/.test(active.tagName));
    };

    // While a campaign adds results, the page follows it.
    let fetching = false;
    let wanted = document.body.dataset.version;

    const refresh = async (again = false) => {
        const main = document.getElementById("main");
        if (fetching || document.hidden) return;
        if (!again && wanted === document.body.dataset.version) return;
        if (isTyping(main)) {
            setTimeout(() => refresh(again), 2000);
            return;
        }
        fetching = true;
        try {
            const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
            if (!answer.ok) throw new Error(String(answer.status));
            const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
            const next = fresh.getElementById("main");
            if (!next) throw new Error("no page");
            const state = describe(main);
            main.replaceChildren(...document.adoptNode(next).childNodes);
            prepare(main);
            restore(main, state);
            document.body.dataset.version = fresh.body.dataset.version;
            const note = fresh.querySelector("#follow .words");
            if (note) followNote().querySelector(".words").replaceWith(document.adoptNode(note));
            followNote().classList.remove("fresh");
            void followNote().offsetWidth;
            followNote().classList.add("fresh");
            document.title = fresh.title;
        } catch {
            setTimeout(() => refresh(again), 3000);
            return;
        } finally {
            fetching = false;
        }
        if (wanted !== document.body.dataset.version) setTimeout(() => refresh(), 1000);
        else whileUnfinished();
    };

    // What is still being made on the server is asked for again.
    let asking = 0;

    const whileUnfinished = () => {
        clearTimeout(asking);
        if (!document.querySelector("main [data-unfinished]")) return;
        asking = setTimeout(() => refresh(true), 1000);
    };

    // A browser keeps pages that were left for the way back, with their connections, and has only
    // six for a host: a page that went on listening would make later ones wait.
    let events = null;

    const follow = () => {
        if (events) events.close();
        events = new EventSource("/events");
        const mark = (name) => {
            followNote().classList.toggle("following", name === "following");
            followNote().classList.toggle("lost", name === "lost");
            followNote().title = name === "following"
                ? "This page follows the database"
                : "The server does not answer; trying again";
        };
        events.addEventListener("open", () => mark("following"));
        events.addEventListener("changed", (event) => {
            wanted = event.data;
            refresh();
        });
        events.addEventListener("error", () => {
            mark("lost");
            // A browser gives up after some kinds of failure; we do not.
            if (events && events.readyState === EventSource.CLOSED) setTimeout(follow, 3000);
        });
    };

    // The menu of sets closes when something else is looked at.
    const closeMenus = (event) => {
        document.querySelectorAll(".menu details[open]").forEach((menu) => {
            if (event.type === "keydown" ? event.key === "Escape" : !menu.contains(event.target)) {
                menu.open = false;
                if (event.type === "keydown") menu.querySelector("summary").focus();
            }
        });
    };

    prepare(document);
    document.addEventListener("click", closeMenus);
    document.addEventListener("keydown", closeMenus);
    // A site has no version, and nothing to follow; its own script shows further pages.
    window.luthier = { prepare };
    if (document.body.dataset.version === undefined) return;
    document.addEventListener("visibilitychange", () => {
        refresh();
        whileUnfinished();
    });
    whileUnfinished();
    window.addEventListener("pagehide", () => {
        if (events) events.close();
        events = null;
    });
    window.addEventListener("pageshow", () => {
        if (!events) follow();
    });
    follow();
})();
