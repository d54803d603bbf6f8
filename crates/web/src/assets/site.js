// What a site without a server needs: instances and runs from data files, and the list of instances
// with its filters and orders. The cells of the list are those of the server; what they count for stands in
// the data (crates/web/src/site/list.rs). Here bits are tested, numbers added and strings put together.
"use strict";

(() => {
    const PER_PAGE = 100;
    const LONGEST_PLACE = 90;
    const NOTHING = "-";

    // Data files.
    const kept = new Map();

    const load = (name) => {
        if (!kept.has(name)) {
            const loading = read(name);
            loading.catch(() => kept.delete(name));
            kept.set(name, loading);
        }
        return kept.get(name);
    };

    const read = async (name) => {
        const answer = await fetch(name);
        if (!answer.ok) throw new Error(`${name}: ${answer.status} ${answer.statusText}`);
        const bytes = new Uint8Array(await answer.arrayBuffer());
        // Some servers unpack compressed files on the way.
        if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return new TextDecoder().decode(bytes);
        const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
        return new Response(unpacked).text();
    };

    const loadJson = async (name) => {
        const key = `${name} as data`;
        if (!kept.has(key)) kept.set(key, load(name).then((text) => { kept.delete(name); return JSON.parse(text); }));
        try {
            return await kept.get(key);
        } catch (error) {
            kept.delete(key);
            throw error;
        }
    };

    const say = (id, words) => {
        const place = document.getElementById(id);
        if (place) place.textContent = words;
    };

    const explain = (error) => location.protocol === "file:"
        ? "Browsers read no data from files: look at this site through a web server."
        : `This cannot be shown: ${error.message}`;

    // An element of HTML that our exporter wrote.
    const element = (html, holder = "template") => {
        const template = document.createElement(holder);
        template.innerHTML = html;
        return template.content;
    };

    const escapeHtml = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
        .replaceAll(">", "&gt;").replaceAll("\"", "&quot;");

    // ---------------------------------------------------------------- instances and runs

    let shown = null;

    // `17` is an instance, `17.33` a run on it, `17:L4` a place on its page.
    const parseView = () => {
        const found = /^#(\d+)(?:\.(\d+))?(?::(.+))?$/.exec(location.hash);
        if (!found) return null;
        const [, instance, run, anchor] = found;
        return { instance: Number(instance), name: run ? `${instance}.${run}` : instance, anchor };
    };

    const findView = async ({ instance, name }) => {
        const firsts = await loadJson("data/instances.json");
        // The last file that begins at or before it.
        let [low, high] = [0, firsts.length];
        while (low < high) {
            const middle = (low + high) >> 1;
            if (firsts[middle] <= instance) low = middle + 1;
            else high = middle;
        }
        const views = low > 0 ? await loadJson(`data/instances-${firsts[low - 1]}.gz`) : {};
        if (!Object.hasOwn(views, name)) throw new Error(`there is no ${name.replace(".", ", run ")} here`);
        return views[name];
    };

    const showView = async () => {
        const main = document.getElementById("main");
        const wanted = parseView();
        // A place of the page itself, such as its main part.
        if (!wanted && location.hash.length > 1 && document.getElementById(location.hash.slice(1))) return;
        if (!wanted) {
            shown = null;
            say("view-state", "Which instance? Its number stands after # in the address.");
            return;
        }
        if (!shown || shown.name !== wanted.name) {
            say("view-state", "Loading …");
            main.setAttribute("aria-busy", "true");
            try {
                const view = await findView(wanted);
                // Somebody may have gone on meanwhile.
                if ((parseView() || {}).name !== wanted.name) return;
                shown = { name: wanted.name, view };
                document.title = view.title;
                document.querySelector("nav.path").replaceChildren(element(view.path));
                main.replaceChildren(element(view.main));
                window.luthier.prepare(main);
                if (!wanted.anchor) window.scrollTo(0, 0);
            } catch (error) {
                shown = null;
                const state = document.createElement("p");
                state.id = "view-state";
                state.setAttribute("role", "status");
                main.replaceChildren(state);
                say("view-state", explain(error));
            } finally {
                main.removeAttribute("aria-busy");
            }
        }
        goTo(wanted.anchor);
    };

    const goTo = (anchor) => {
        const place = anchor && document.getElementById(decodeURIComponent(anchor));
        if (!place) return;
        for (let box = place; box; box = box.parentElement) {
            if (box.tagName === "DETAILS") box.open = true;
        }
        document.querySelectorAll(".target").forEach((other) => other.classList.remove("target"));
        place.classList.add("target");
        place.scrollIntoView();
        if (!place.matches("a, button, summary")) place.setAttribute("tabindex", "-1");
        place.focus({ preventScroll: true });
    };

    // The text behind a link: as the page shows it, unless that is not all of it.
    const SECTIONS = { input: "formula", stdout: "stdout", stderr: "stderr" };

    const textOf = (which) => {
        const saved = (shown.view.texts || {})[which];
        if (typeof saved === "string") return saved;
        if (saved && saved.hex !== undefined) {
            return Uint8Array.from(saved.hex.match(/../g) || [], (digits) => parseInt(digits, 16));
        }
        const code = document.querySelector(`section[aria-labelledby="${SECTIONS[which]}"] code`);
        return code.textContent + (saved ? saved.end : "");
    };

    const saveText = (event) => {
        const link = event.target.closest("a[data-text]");
        if (!link || !shown) return;
        event.preventDefault();
        const which = link.dataset.text;
        const address = URL.createObjectURL(new Blob([textOf(which)], { type: "text/plain;charset=utf-8" }));
        const saver = document.createElement("a");
        saver.href = address;
        const name = shown.name.replace(".", "-run-");
        saver.download = which === "input" ? `instance-${name}.smt2` : `instance-${name}.${which}.txt`;
        saver.click();
        setTimeout(() => URL.revokeObjectURL(address), 10_000);
    };

    // ---------------------------------------------------------------- figures, as the server writes them

    const grouped = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ",");
    const count = (number) => grouped(String(number));

    // Rust rounds a tie to the even digit, toFixed up: only exact ties differ.
    const decimals = (number, places) => {
        const rounded = number.toFixed(places);
        const exact = number.toFixed(Math.min(100, places + 60));
        const rest = exact.slice(rounded.length);
        let text = rounded;
        if (/^50*$/.test(rest)) {
            const down = exact.slice(0, rounded.length);
            if (Number(down.at(-1)) % 2 === 0) text = down;
        }
        const [whole, fraction] = text.split(".");
        return `${grouped(whole)}.${fraction}`;
    };

    // The same operations as Duration::as_secs_f64.
    const seconds = (micros) => Math.floor(micros / 1e6) + ((micros % 1e6) * 1000) / 1e9;

    const share = (part, whole) => {
        if (whole === 0) return NOTHING;
        let tenths = Math.floor((part * 2000 + whole) / (whole * 2));
        if (tenths === 0 && part > 0) tenths = 1;
        if (tenths === 1000 && part < whole) tenths = 999;
        return `${Math.floor(tenths / 10)}.${tenths % 10} %`;
    };

    const size = (bytes) => {
        if (bytes < 1024) return `${bytes} B`;
        let [amount, unit] = [bytes / 1024, "KiB"];
        for (const larger of ["MiB", "GiB", "TiB"]) {
            if (amount < 1024) break;
            amount /= 1024;
            unit = larger;
        }
        return `${decimals(amount, 1).replaceAll(",", "")} ${unit}`;
    };

    const shorten = (text, most) => {
        const letters = Array.from(text);
        if (letters.length <= most) return text;
        const tail = Math.floor(most / 3);
        return `${letters.slice(0, most - tail).join("")} … ${letters.slice(letters.length - tail).join("")}`;
    };

    // ---------------------------------------------------------------- the list of instances

    // What is asked for, with the names of the parameters of the server.
    const parseRequest = (index) => {
        const given = new URLSearchParams(location.hash.slice(1));
        const get = (name) => given.get(name) || null;
        const named = (all, number, what) => {
            if (number === null) return null;
            const place = all.findIndex((one) => String(one.number) === number);
            if (place < 0) throw new Error(`there is no ${what} ${number} here`);
            return place;
        };
        const solver = (number) => named(index.solvers, number, "solver");
        let solvers = given.getAll("solver").filter(Boolean).map(solver);
        solvers = solvers.filter((one, place) => solvers.indexOf(one) === place);
        const defaults = index.solvers.map((_, place) => place).slice(0, index.by_default);
        if (solvers.length === 0) solvers = defaults;
        const one = (name) => {
            const found = solver(get(name));
            return solvers.includes(found) ? found : null;
        };
        const kind = get("kind") || "all";
        if (!index.kinds.includes(kind)) throw new Error(`there is no kind ${kind}`);
        const feature = get("feature");
        const featurePlace = feature === null ? null : index.features.indexOf(feature);
        if (featurePlace === -1) throw new Error(`no instance is known to use ${feature}`);
        let set = named(index.sets, get("set"), "set");
        let track = named(index.tracks, get("track"), "track");
        if (track !== null && set !== null && index.tracks[track].set !== set) track = null;
        if (track !== null) set = index.tracks[track].set;
        const number = (name) => {
            if (get(name) === null) return null;
            if (!/^\d+$/.test(get(name))) throw new Error(`${name} is a number of bytes, not ${get(name)}`);
            return Number(get(name));
        };
        const expected = get("expected");
        if (![null, "sat", "unsat", "none"].includes(expected)) throw new Error(`nothing is expected to be ${expected}`);
        const page = Math.max(1, Math.floor(Number(get("page") || 1)) || 1);
        return {
            solvers,
            isDefault: solvers.length === defaults.length && solvers.every((other, place) => other === defaults[place]),
            kind,
            of: kind === "all" ? null : one("of"),
            feature: featurePlace,
            set,
            track,
            expected,
            minSize: number("min_size"),
            maxSize: number("max_size"),
            text: get("text"),
            sort: sorting(index, get("sort"), solvers, solver),
            ...axes(solvers, one("x"), one("y")),
            page,
        };
    };

    const axes = (solvers, x, y) => {
        const first = (other) => solvers.find((one) => one !== other) ?? null;
        const across = x ?? first(y);
        const upwards = across === null ? null : (y !== null && y !== across ? y : first(across));
        return upwards === null ? { x: null, y: null } : { x: across, y: upwards };
    };

    const sorting = (index, text, solvers, solver) => {
        const usual = { key: "place", of: [], descending: false };
        if (text === null) return usual;
        const descending = text.startsWith("-");
        const [key, ...numbers] = (descending ? text.slice(1) : text).split(":");
        const wanted = { place: 0, size: 0, spread: 0, time: 1, ratio: 2 }[key];
        if (wanted !== numbers.length) throw new Error(`there is no order ${text}`);
        const of = numbers.map(solver);
        return of.every((one) => solvers.includes(one)) ? { key, of, descending } : usual;
    };

    // The address of a request; what has its usual value is left out.
    const hashOf = (index, request) => {
        const pairs = [];
        const add = (name, value) => { if (value !== null && value !== "") pairs.push([name, value]); };
        const number = (place) => (place === null ? null : index.solvers[place].number);
        if (request.track !== null) add("track", index.tracks[request.track].number);
        else if (request.set !== null) add("set", index.sets[request.set].number);
        if (!request.isDefault) request.solvers.forEach((one) => add("solver", number(one)));
        if (request.kind !== "all") add("kind", request.kind);
        add("of", number(request.of));
        add("feature", request.feature === null ? null : index.features[request.feature]);
        add("expected", request.expected);
        add("min_size", request.minSize);
        add("max_size", request.maxSize);
        add("text", request.text);
        const { key, of, descending } = request.sort;
        if (key !== "place" || descending) add("sort", `${descending ? "-" : ""}${[key, ...of.map(number)].join(":")}`);
        const usual = axes(request.solvers, null, null);
        if (request.x !== usual.x || request.y !== usual.y) {
            add("x", number(request.x));
            add("y", number(request.y));
        }
        if (request.page > 1) add("page", request.page);
        const query = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
        return `#${query.replaceAll("%3A", ":").replaceAll("%2F", "/")}`;
    };

    // All instances of the scope, read file by file.
    const rowsOf = async (index, request) => {
        let [first, end] = [0, index.files.length ? index.files.at(-1).end : 0];
        const part = request.track !== null ? index.tracks[request.track]
            : request.set !== null ? index.sets[request.set] : null;
        if (part) ({ first, end } = part);
        const files = index.files.filter((file) => file.first < end && first < file.end);
        let done = 0;
        const loaded = await Promise.all(files.map(async (file) => {
            const columns = await loadJson(file.name);
            done += 1;
            if (files.length > 1) say("list-state", `Loading the list of instances: ${done} of ${files.length} files`);
            return columns;
        }));
        const rows = [];
        files.forEach((file, place) => {
            const columns = loaded[place];
            if (!columns.conflictSet) columns.conflictSet = new Set(columns.conflicts);
            for (let at = Math.max(first, file.first); at < Math.min(end, file.end); at += 1) {
                rows.push({ entry: at, columns, at: at - file.first });
            }
        });
        return rows;
    };

    const stateOf = (index, row, solver) => index.states[row.columns.runs[solver].states[row.at]];

    const trackOf = (index, row) => {
        let [low, high] = [0, index.tracks.length - 1];
        while (low < high) {
            const middle = (low + high + 1) >> 1;
            if (index.tracks[middle].first <= row.entry) low = middle;
            else high = middle - 1;
        }
        return index.tracks[low];
    };

    const placeOf = (index, row) => trackOf(index, row).prefix + row.columns.names[row.at];

    // Whether an instance is kept; the table in crates/report/src/measures/filter.rs.
    const keeper = (index, request) => {
        const bit = (name) => 2 ** index.kinds.indexOf(name);
        const has = (state, mask) => state !== undefined && (state.kinds & mask) !== 0;
        const masks = Object.fromEntries(index.kinds.map((name) => [name, bit(name)]));
        const asked = request.of === null ? request.solvers : [request.of];
        const any = (row, solvers, mask) => solvers.some((solver) => has(stateOf(index, row, solver), mask));
        const solvedBy = (row) => request.solvers.filter((solver) => has(stateOf(index, row, solver), masks.solved)).length;
        const kinds = {
            all: () => true,
            unique: (row) => solvedBy(row) === 1 && any(row, asked, masks.solved),
            unsolved: (row) => !any(row, asked, masks.solved),
            some: (row) => solvedBy(row) < request.solvers.length && any(row, asked, masks.solved),
            missing: (row) => asked.some((solver) => stateOf(index, row, solver) === undefined),
            conflicting: (row) => {
                const says = (word) => request.solvers.some((solver) => (stateOf(index, row, solver) || {}).says === word);
                const answered = (solver) => ["sat", "unsat"].includes((stateOf(index, row, solver) || {}).says);
                return (row.columns.conflictSet.has(row.at) || (says("sat") && says("unsat")))
                    && (request.of === null || answered(request.of));
            },
        };
        const keeps = kinds[request.kind] || ((row) => any(row, asked, masks[request.kind]));
        const text = request.text === null ? null : request.text.toLowerCase();
        return (row) => {
            const { columns, at } = row;
            if (request.minSize !== null && columns.sizes[at] < request.minSize) return false;
            if (request.maxSize !== null && columns.sizes[at] > request.maxSize) return false;
            if (request.expected !== null && index.expected[columns.expected[at]].name !== request.expected) return false;
            if (request.feature !== null) {
                const features = index.feature_sets[columns.features[at]];
                if (!features || !features.includes(request.feature)) return false;
            }
            return keeps(row) && (text === null || placeOf(index, row).toLowerCase().includes(text));
        };
    };

    // The penalised time of a run in microseconds; null if it has none.
    const penalised = (index, row, solver) => {
        const state = stateOf(index, row, solver);
        if (!state || !state.scored) return null;
        return state.penalty ?? row.columns.runs[solver].times[row.at];
    };

    const sorted = (index, request, rows) => {
        const { key, of, descending } = request.sort;
        if (key === "place") return descending ? rows.toReversed() : rows;
        const time = (row, solver) => {
            const micros = penalised(index, row, solver);
            return micros === null ? null : seconds(micros);
        };
        const least = (number) => Math.max(number, 0.001);
        const figure = (row) => {
            if (key === "size") return row.columns.sizes[row.at];
            if (key === "time") return time(row, of[0]);
            const times = (key === "ratio" ? of : request.solvers).map((solver) => time(row, solver));
            if (key === "ratio") return times.includes(null) ? null : least(times[0]) / least(times[1]);
            const there = times.filter((one) => one !== null).map(least);
            return there.length < 2 ? null : Math.max(...there) / Math.min(...there);
        };
        const sign = descending ? -1 : 1;
        const order = (left, right) => {
            if (left.figure === null || right.figure === null) return (left.figure === null) - (right.figure === null);
            return sign * (left.figure - right.figure);
        };
        return rows.map((row) => ({ row, figure: figure(row) })).sort(order).map(({ row }) => row);
    };

    // ---------------------------------------------------------------- the list as HTML

    const link = (address, words, more = "") => `<a href="${escapeHtml(address)}"${more}>${words}</a>`;

    const totals = (index, request, rows) => {
        const bit = (name) => 2 ** index.kinds.indexOf(name);
        const [solvedBit, refutedBit] = [bit("solved"), bit("refuted")];
        const to = (kind, of) => (request.kind === "all" ? hashOf(index, { ...request, kind, of, page: 1 }) : null);
        const counted = (number, kind, of) => {
            const address = number > 0 ? to(kind, of) : null;
            return address ? link(address, count(number)) : count(number);
        };
        const wrong = (number, of) => {
            const address = to("refuted", of);
            const words = `✗\u{a0}${count(number)}`;
            return address ? link(address, words, " class=\"wrong\"") : `<strong class="wrong">${words}</strong>`;
        };
        let anyWrong = 0;
        const sums = request.solvers.map(() => ({ solved: 0, refuted: 0, missing: 0, scored: 0, par2: 0 }));
        for (const row of rows) {
            let isWrong = false;
            request.solvers.forEach((solver, place) => {
                const [state, sum] = [stateOf(index, row, solver), sums[place]];
                if (!state) sum.missing += 1;
                else if (state.scored) {
                    sum.scored += 1;
                    sum.solved += (state.kinds & solvedBit) !== 0;
                    sum.refuted += (state.kinds & refutedBit) !== 0;
                    sum.par2 += penalised(index, row, solver);
                    isWrong ||= (state.kinds & refutedBit) !== 0;
                }
            });
            anyWrong += isWrong;
        }
        const cells = sums.map((sum, place) => {
            const solver = request.solvers[place];
            const mean = sum.scored > 0 ? decimals(seconds(sum.par2) / sum.scored, 3) : NOTHING;
            return `<td>${counted(sum.solved, "solved", solver)} solved <span class="why">(${share(sum.solved, sum.scored)})</span>`
                + (sum.refuted > 0 ? `<br>${wrong(sum.refuted, solver)} wrong` : "")
                + (sum.missing > 0 ? `<br><span class="why">${counted(sum.missing, "missing", solver)} not run</span>` : "")
                + `<br><span class="why">PAR2 mean ${mean} s</span></td>`;
        });
        return `<tr class="totals"><th scope="row">all ${count(rows.length)} that match`
            + (anyWrong > 0 ? `<br>${wrong(anyWrong, null)} wrong` : "")
            + `</th><td></td><td></td>${cells.join("")}</tr>`;
    };

    const heading = (index, request, template) => {
        const { key } = request.sort;
        const sign = (isThis) => (isThis ? (request.sort.descending ? "↓" : "↑") : "↕");
        const state = (isThis) => (isThis ? ` aria-sort="${request.sort.descending ? "descending" : "ascending"}"` : "");
        const to = (isThis, sort) => escapeHtml(hashOf(index, {
            ...request, page: 1, sort: { ...sort, descending: isThis && !request.sort.descending },
        }));
        const plain = (name, words, numeric) => {
            const isThis = key === name;
            return `<th${numeric ? " class=\"n\"" : ""} scope="col" title="${escapeHtml(template[name])}"${state(isThis)}>`
                + `<a class="sort" href="${to(isThis, { key: name, of: [] })}">${words}\u{a0}<span class="sign" aria-hidden="true">${sign(isThis)}</span></a></th>`;
        };
        const solvers = request.solvers.map((solver) => {
            const { number, name } = index.solvers[solver];
            const isThis = key === "time" && request.sort.of[0] === solver;
            return `<th scope="col" title="${escapeHtml(template.solver)}"${state(isThis)}>`
                + `<a class="solver" href="solver/${number}.html">${escapeHtml(name)}</a> `
                + `<a class="sort" href="${to(isThis, { key: "time", of: [solver] })}" aria-label="Sort by the time of ${escapeHtml(name)}"><span class="sign" aria-hidden="true">${sign(isThis)}</span></a></th>`;
        });
        return `<tr>${plain("place", "instance", false)}${plain("size", "size", true)}`
            + `<th scope="col" title="${escapeHtml(template.expected)}">expected</th>${solvers.join("")}</tr>`;
    };

    const rowHtml = (index, request, row) => {
        const { columns, at } = row;
        const place = placeOf(index, row);
        const states = request.solvers.map((solver) => stateOf(index, row, solver));
        const mark = states.some((state) => state && state.bad)
            ? "<strong class=\"wrong\" title=\"a wrong answer, an invalid model or an invalid core\">✗</strong> " : "";
        const cells = request.solvers.map((solver, position) => {
            const state = states[position];
            if (!state) return "<td class=\"run none\">not run</td>";
            const runs = columns.runs[solver];
            return state.cell.replace("{instance}", columns.numbers[at]).replace("{run}", runs.numbers[at])
                .replace("{time}", decimals(seconds(runs.times[at]), 3));
        });
        return `<tr><th scope="row">${mark}<a href="instance.html#${columns.numbers[at]}" title="${escapeHtml(place)}">`
            + `${escapeHtml(shorten(place, LONGEST_PLACE))}</a></th><td class="n">${size(columns.sizes[at])}</td>`
            + `<td>${index.expected[columns.expected[at]].cell}</td>${cells.join("")}</tr>`;
    };

    const orders = (index, request) => {
        if (request.solvers.length < 2) return "";
        const name = (solver) => escapeHtml(index.solvers[solver].name);
        const ways = [[{ key: "spread", of: [] }, "largest differences first"]];
        if (request.x !== null) {
            const worst = (worse, better) => [{ key: "ratio", of: [worse, better] }, `${name(worse)} slowest against ${name(better)}`];
            ways.push(worst(request.x, request.y), worst(request.y, request.x));
        }
        const { sort } = request;
        const links = ways.map(([{ key, of }, words]) => {
            const isThis = sort.key === key && sort.descending && String(sort.of) === String(of);
            const address = hashOf(index, { ...request, page: 1, sort: { key, of, descending: true } });
            return link(address, words, isThis ? " aria-current=\"true\"" : "");
        });
        return `<p class="orders">Order: ${links.join(" ")} </p>`;
    };

    const pager = (index, request, total) => {
        const pages = Math.max(1, Math.ceil(total / PER_PAGE));
        if (pages === 1) return "";
        const page = Math.min(request.page, pages);
        const to = (number, words, rel) => link(hashOf(index, { ...request, page: number }), words, rel ? ` rel="${rel}"` : "");
        const first = (page - 1) * PER_PAGE;
        return "<nav class=\"pager\" aria-label=\"Pages of the list\">"
            + `<span>${count(first + 1)}–${count(Math.min(first + PER_PAGE, total))} of ${count(total)}</span>`
            + (page > 1 ? to(1, "« first") + to(page - 1, "‹ previous", "prev") : "")
            + `<span aria-current="page">page ${page} of ${pages}</span>`
            + (page < pages ? to(page + 1, "next ›", "next") + to(pages, "last »") : "")
            + "</nav>";
    };

    // ---------------------------------------------------------------- the page of the list

    let usual = null;

    const showScatter = async (index, request) => {
        const box = document.querySelector("section.scatter");
        if (!box) return;
        const note = document.getElementById("scatter-note");
        const query = hashOf(index, { ...request, sort: { key: "place", of: [], descending: false }, page: 1 }).slice(1);
        if (query === "") {
            box.replaceWith(usual.scatter.cloneNode(true));
            note.textContent = "";
        } else if (index.scatters.includes(query)) {
            const html = await load(`data/scatter-${query.replaceAll("=", "-").replaceAll("&", "-")}.gz`);
            document.querySelector("section.scatter").replaceWith(element(html));
            note.textContent = "";
        } else {
            note.textContent = "A site has no chart of this selection; luthier serve draws charts of any.";
        }
        document.querySelector("section.scatter").hidden = note.textContent !== "";
    };

    const showList = async () => {
        const list = document.getElementById("list");
        try {
            if (location.hash === "" || location.hash === "#" || document.getElementById(location.hash.slice(1))) {
                if (usual.isShown || location.hash.length > 1) return;
            }
            usual.isShown = false;
            list.setAttribute("aria-busy", "true");
            const index = await loadJson("data/list.gz");
            const request = parseRequest(index);
            const all = await rowsOf(index, request);
            const keeps = keeper(index, request);
            const found = all.filter(keeps);
            const total = found.length;
            request.page = Math.min(request.page, Math.max(1, Math.ceil(total / PER_PAGE)));
            const rows = sorted(index, request, found).slice((request.page - 1) * PER_PAGE, request.page * PER_PAGE);
            document.getElementById("matching").textContent = total === all.length
                ? `All ${count(total)} instances` : `${count(total)} of ${count(all.length)} instances`;
            const pages = pager(index, request, total);
            list.replaceChildren(element(total === 0
                ? `<p>Nothing matches. ${link("#", "Start again")} with everything.</p>`
                : `${orders(index, request)}${pages}<div class="scroll ${usual.room}" tabindex="0" role="region" aria-label="Instances">`
                + "<table class=\"instances compared\"><caption>Instances, and what each solver did</caption>"
                + `<thead>${heading(index, request, usual.titles)}${totals(index, request, found)}</thead>`
                + `<tbody>${rows.map((row) => rowHtml(index, request, row)).join("")}</tbody></table></div>${pages}`));
            fill(index, request);
            await showScatter(index, request);
            say("list-state", "");
        } catch (error) {
            say("list-state", explain(error));
        } finally {
            list.removeAttribute("aria-busy");
            list.dataset.shown = location.hash;
        }
    };

    // The form shows what is shown.
    const fill = (index, request) => {
        const form = document.querySelector("#choose form");
        const set = (name, value) => { if (form.elements[name]) form.elements[name].value = value ?? ""; };
        const number = (place) => (place === null ? "" : index.solvers[place].number);
        const chosen = request.solvers.map((solver) => String(index.solvers[solver].number));
        form.querySelectorAll("input[name=solver]").forEach((box) => { box.checked = chosen.includes(box.value); });
        set("kind", request.kind === "all" ? "" : request.kind);
        set("of", number(request.of));
        set("set", request.set === null ? "" : index.sets[request.set].number);
        tracks(index, form, request);
        set("feature", request.feature === null ? "" : index.features[request.feature]);
        set("expected", request.expected);
        set("text", request.text);
        set("min_size", request.minSize);
        set("max_size", request.maxSize);
        set("x", number(request.x));
        set("y", number(request.y));
    };

    const tracks = (index, form, request) => {
        const old = form.querySelector("label.track");
        if (old) old.remove();
        const all = index.tracks.filter((track) => track.set === request.set);
        if (request.set === null || all.length < 2) return;
        const chosen = request.track === null ? null : index.tracks[request.track];
        const options = all.map((track) => `<option value="${track.number}"${track === chosen ? " selected" : ""}>`
            + `${escapeHtml(shorten(track.name || "(no track)", 60))}</option>`);
        form.elements.set.closest("label").after(element(
            `<label class="track">Track<select name="track"><option value="">all tracks</option>${options.join("")}</select></label>`));
    };

    const submit = async (event) => {
        event.preventDefault();
        const pairs = Array.from(new FormData(event.target).entries()).filter(([, value]) => value !== "");
        const sort = new URLSearchParams(location.hash.slice(1)).get("sort");
        if (sort) pairs.push(["sort", sort]);
        // Read and written once more, so that what has its usual value is left out.
        const wanted = `#${new URLSearchParams(pairs)}`;
        const index = await loadJson("data/list.gz");
        history.pushState(null, "", wanted);
        try {
            history.replaceState(null, "", hashOf(index, parseRequest(index)));
        } catch (error) {
            say("list-state", explain(error));
            return;
        }
        showList();
    };

    const prepareList = () => {
        const form = document.querySelector("#choose form");
        const heads = Array.from(document.querySelectorAll("#list table thead tr:first-child th"));
        const title = (place) => (heads[place] ? heads[place].title : "");
        usual = {
            isShown: true,
            scatter: document.querySelector("section.scatter")?.cloneNode(true),
            titles: { place: title(0), size: title(1), expected: title(2), solver: title(3) },
            room: Array.from(document.querySelector("#list .scroll")?.classList || []).filter((name) => name !== "scroll").join(" "),
        };
        if (!form || heads.length === 0) return;
        document.getElementById("choose").hidden = false;
        form.addEventListener("submit", submit);
        window.addEventListener("hashchange", showList);
        showList();
    };

    if (document.getElementById("list")) {
        prepareList();
    } else if (document.getElementById("view-state")) {
        document.addEventListener("click", saveText);
        window.addEventListener("hashchange", showView);
        showView();
    }
})();
