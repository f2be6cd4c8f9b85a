// The episode browser. It reads the JSON of gates/report/browser.py, shows a list of episodes and, of
// the one that the address names, every turn. What comes from tasks and models is only ever set as
// text. The address holds the whole state, so that a link or a reload shows the same thing.
"use strict";
(() => {
  const PAGE = 20;
  const FILTERS = ["condition", "catalog", "stratum", "language", "outcome", "start", "unlike", "text"];
  const KEYS = [...FILTERS, "page", "episode", "with"];
  const ACCEPTED = 1, MALFORMED = 2, ADVANCED = 4, PARALLEL = 1;
  const DECISIONS = {
    step: "counts as the next step",
    repeat: "repeats a step that is done",
    example: "belongs to no step and got an example for an answer",
    unavailable: "no such tool was shown",
    schema_invalid: "its arguments break the schema",
    blocked: "nobody approved it",
    not_found: "nothing was found",
    parallel: "only the first call of a turn runs",
    malformed: "the call is malformed",
  };

  const by = (id) => document.getElementById(id);
  const data = JSON.parse(by("episodes").textContent);
  const { episodes, turns, texts, lists, calls, changes, tasks } = data;
  const [list, article, form, table] = ["list", "episode", "filters", "table"].map((name) => by(`browser-${name}`));
  const body = table.tBodies[0];
  const starts = []; // The first turn of each episode in the columns of `turns`.
  episodes.turns.reduce((sum, count, e) => (starts[e] = sum) + count, 0);
  const catalogOf = (e) => data.catalogs[episodes.catalog[e]];
  const conditionOf = (e) => data.conditions[episodes.condition[e]];
  const pair = (e) => `${tasks[episodes.task[e]].id}/${catalogOf(e)}`;
  const name = (e) => `${pair(e)}/${conditionOf(e)}`;
  const places = new Map(episodes.task.map((_, e) => [name(e), e]));
  const sibling = (e, condition) =>
    condition === conditionOf(e) ? -1 : places.get(`${pair(e)}/${condition}`) ?? -1;
  const beside = (e) => sibling(e, state.unlike); // What an episode of the list opens with.
  const state = { page: 0, episode: -1, with: -1 };
  let found = [];

  /** An element with attributes, or a class alone, and children: text stays text; 0 and false are left out. */
  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    const named = typeof attributes === "string" ? { class: attributes } : attributes;
    for (const [key, value] of Object.entries(named)) if (value !== "") element.setAttribute(key, value);
    element.append(...children.filter(Boolean));
    return element;
  }
  const code = (place) => make("code", "", texts[place]);
  const plain = (text) => (Object.hasOwn(data.words, text) ? data.words[text] : text.replaceAll("_", " "));
  const counted = (count, noun) =>
    count.toLocaleString("en") + (noun ? ` ${noun}${count === 1 ? "" : "s"}` : "");

  /** Words with a sign; the colour repeats it. */
  function marked(kind, sign, words) {
    return make("span", kind, make("span", { "aria-hidden": "true" }, `${sign}\u00a0`), words);
  }
  const passing = (words) => marked("browser-pass", "✓", words);
  const failing = (words) => marked("browser-fail", "✗", words);
  const outcome = (e) => {
    const words = plain(data.outcomes[episodes.outcome[e]]);
    return passes(e) ? passing(words) : failing(`failed: ${words}`);
  };
  const steps = (e) => `${episodes.completed[e]} of ${tasks[episodes.task[e]].steps.length}`;

  // --- The address ---------------------------------------------------------------------------

  function address(changed) {
    const params = new URLSearchParams();
    const all = { ...state, ...changed };
    for (const key of FILTERS) if (all[key]) params.set(key, all[key]);
    if (all.page > 0) params.set("page", all.page + 1);
    if (all.episode >= 0) params.set("episode", name(all.episode));
    if (all.episode >= 0 && all.with >= 0) params.set("with", conditionOf(all.with));
    // A solidus needs no escape in a fragment, and reads better without.
    return `#${params.toString().replaceAll("%2F", "/") || "browser"}`;
  }

  /** Take the state from the address; false when it is about another part of the page. */
  function readAddress() {
    const hash = location.hash.slice(1);
    const params = new URLSearchParams(hash);
    if (hash !== "browser" && !KEYS.some((key) => params.has(key))) return false;
    for (const key of FILTERS) {
      const field = form.elements[key];
      field.value = params.get(key) ?? "";
      if (field.selectedIndex === -1) field.value = ""; // No such option.
      state[key] = field.value;
    }
    state.page = Math.max(0, (parseInt(params.get("page"), 10) || 1) - 1);
    state.episode = places.get(params.get("episode") ?? "") ?? -1;
    state.with = state.episode < 0 ? -1 : sibling(state.episode, params.get("with"));
    return true;
  }

  // --- Filtering -----------------------------------------------------------------------------

  const fold = (text) => text.normalize("NFKC").toLowerCase();
  let folded, mentions, about; // Made at the first search.

  function prepareSearch() {
    folded = texts.map((text) => fold(text ?? ""));
    about = tasks.map((task) => fold(`${task.id} ${task.query} ${task.gloss}`));
    mentions = starts.map((start, e) => {
      const places = new Set(tasks[episodes.task[e]].steps);
      for (let t = start; t < start + episodes.turns[e]; t++) {
        places.add(turns.text[t]).add(turns.observation[t]);
        for (const c of lists[turns.calls[t]] ?? []) calls[c].slice(0, 6).forEach((place) => places.add(place));
      }
      return [...places];
    });
  }

  /** A test of episodes: every word stands in its task or in something that was called or said. */
  function searchFor(text) {
    const words = fold(text).split(/\s+/).filter(Boolean);
    if (words.length && !folded) prepareSearch();
    const tests = words.map((word) => {
      const inText = folded.map((value) => value.includes(word));
      const inTask = about.map((value) => value.includes(word));
      return (e) => inTask[episodes.task[e]] || mentions[e].some((place) => inText[place]);
    });
    return (e) => tests.every((test) => test(e));
  }

  const passes = (e) => episodes.outcome[e] === 0;
  const VALUES = {
    condition: conditionOf,
    catalog: (e) => String(catalogOf(e)),
    stratum: (e) => data.strata[tasks[episodes.task[e]].stratum],
    language: (e) => data.languages[tasks[episodes.task[e]].language],
    outcome: (e) => (state.outcome === "failed" && !passes(e) ? "failed" : data.outcomes[episodes.outcome[e]]),
    start: (e) => (episodes.missed[e] ? "miss" : "whole"),
  };

  function filter() {
    const tests = Object.entries(VALUES).filter(([key]) => state[key]);
    const differs = (e) => !state.unlike || (beside(e) >= 0 && passes(beside(e)) !== passes(e));
    const matches = searchFor(state.text ?? "");
    const kept = (e) => tests.every(([key, value]) => value(e) === state[key]) && differs(e) && matches(e);
    found = [...starts.keys()].filter(kept);
  }

  // --- The list ------------------------------------------------------------------------------

  function row(e) {
    const task = tasks[episodes.task[e]];
    const link = make("a", { href: address({ episode: e, with: beside(e) }), "data-episode": e }, task.id);
    const cell = (label, content, kind = "") =>
      make("td", { role: "cell", "data-label": label, class: kind }, content);
    return make("tr", { role: "row" },
      make("th", { role: "rowheader", scope: "row" }, link),
      cell("Condition", conditionOf(e)),
      cell("Catalog", String(catalogOf(e)), "number"),
      cell("Stratum", plain(data.strata[task.stratum])),
      cell("Language", plain(data.languages[task.language])),
      cell("Outcome", outcome(e)),
      cell("Steps", steps(e), "number"),
      cell("Turns", String(episodes.turns[e]), "number"));
  }

  const links = () => [...body.querySelectorAll("a")];

  /** One link of the page is a stop of the Tab key; arrow keys move between them. */
  function stopAt(link, focus) {
    for (const other of links()) other.tabIndex = other === link ? 0 : -1;
    if (focus) link?.focus();
  }

  function showList() {
    filter();
    const pages = Math.max(1, Math.ceil(found.length / PAGE));
    state.page = Math.min(state.page, pages - 1);
    const shown = found.slice(state.page * PAGE, (state.page + 1) * PAGE);
    body.replaceChildren(...shown.map(row));
    stopAt(links()[0], false);
    const passed = found.filter(passes).length;
    by("browser-count").textContent = found.length
      ? `${counted(found.length)} of ${counted(episodes.task.length, "episode")}, ${counted(passed)} passed`
      : "No episode matches. Clear a filter to see more.";
    by("browser-page").textContent = `Page ${counted(state.page + 1)} of ${counted(pages)}`;
    table.hidden = !found.length;
    const [previous, next] = by("browser-pages").querySelectorAll("button");
    // A button that is disabled in earnest would drop the focus that is on it.
    previous.ariaDisabled = String(state.page === 0);
    next.ariaDisabled = String(state.page === pages - 1);
  }

  function turnPage(pages) {
    state.page = Math.max(0, state.page + pages);
    showList();
    history.replaceState(null, "", address({}));
  }

  // --- One episode ---------------------------------------------------------------------------

  /** JSON laid out over lines without reading a number, so that each stands as it was written. */
  function laidOut(text) {
    try { JSON.parse(text); } catch { return text; } // Arguments of a model need not be JSON.
    const tokens = text.match(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g);
    let at = 0;
    function value(indent) {
      const open = tokens[at++];
      if (open !== "{" && open !== "[") return open;
      const [close, parts] = [open === "{" ? "}" : "]", []];
      while (tokens[at] !== close) {
        if (tokens[at] === ",") at++;
        const key = open === "{" ? `${tokens[at]}: ` : "";
        if (key) at += 2;
        parts.push(key + value(`${indent}  `));
      }
      at++;
      const line = open + parts.join(", ") + close;
      if (line.length + indent.length <= 96 && !line.includes("\n")) return line;
      return `${open}\n${parts.map((part) => `${indent}  ${part}`).join(",\n")}\n${indent}${close}`;
    }
    return value("");
  }

  /** Text as it came. It may scroll, which needs a stop of the Tab key and so a name. */
  function block(label, text) {
    const pre = make("pre", { dir: "auto", tabindex: 0, role: "region", "aria-label": label }, laidOut(text));
    return make("div", "browser-block", make("span", "browser-label", label), pre);
  }

  function folding(summary, places, needed, tag) {
    const items = places.map((place) =>
      make("li", "", place === needed ? make("strong", "", code(place), " (needed)") : code(place)));
    return make("details", "", make("summary", "", summary), make(tag, "browser-routes", ...items));
  }

  const exposure = (t) => lists[turns.exposure[t]] ?? [];
  const exposed = (t) => (turns.flags[t] & ACCEPTED) !== 0 && exposure(t).includes(turns.needed[t]);

  function need(t) {
    if (!turns.needed[t]) return make("p", "", "The task is complete: no tool is needed.");
    const rank = turns.rank[t] ? `, ranked ${counted(turns.rank[t])}, ` : " ";
    return make("p", "", "Needs ", code(turns.needed[t]), rank, exposed(t) ? passing("exposed") : failing("not exposed"));
  }

  function call(place) {
    const [route, written, given, decision, status, error, flags, approval] = calls[place];
    const sign = ["ok", "executed"].includes(texts[status]) ? passing : failing;
    const verb = flags & PARALLEL ? "Also called " : "Called ";
    return make("div", "",
      make("p", "", verb, code(route), written ? ` as ${texts[written]}` : ""),
      block("Arguments", texts[given]),
      make("p", "", sign(plain(texts[status])), error ? `: ${texts[error]}` : "",
        `; ${DECISIONS[texts[decision]] ?? plain(texts[decision])}`, approval ? `; approval ${approval}` : ""));
  }

  function change(place) {
    const [field, removed, added] = changes[place];
    const marked = (tag, sign) => (text) => make(tag, { dir: "auto" }, `${sign} ${texts[text]}`);
    return make("li", "", `${plain(texts[field])}: `, ...removed.map(marked("del", "−")), ...added.map(marked("ins", "+")));
  }

  function card(e, turn) {
    const title = make("h5", "", conditionOf(e));
    if (turn >= episodes.turns[e]) return make("div", "browser-card", title, make("p", "", "The episode is over."));
    const t = starts[e] + turn, flags = turns.flags[t];
    const head = lists[turns.head[t]], changed = lists[turns.changes[t]];
    const tools = `${counted(exposure(t).length, "tool")}, ${counted(turns.schema_tokens[t], "token")} of schemas`;
    return make("div", "browser-card", title, need(t),
      !(flags & ACCEPTED) && make("p", "", failing("the prompt did not fit the context and exposed nothing")),
      folding(tools, exposure(t), turns.needed[t], "ul"),
      head && folding(`Best ${head.length} of the ranking`, head, turns.needed[t], "ol"),
      turns.text[t] && block("Said", texts[turns.text[t]]),
      flags & MALFORMED && make("p", "", failing("the turn is malformed")),
      ...(lists[turns.calls[t]] ?? []).map(call),
      turns.observation[t] && block("Observation", texts[turns.observation[t]]),
      changed && make("div", "", make("span", "browser-label", "State"), make("ul", "browser-state", ...changed.map(change))),
      flags & ADVANCED && make("p", "", passing("a step is passed")));
  }

  /** What was needed, its rank and whether it was exposed: a row a turn, a column a condition. */
  function course(shown, numbers) {
    const cell = (turn) => (e) => {
      const t = starts[e] + turn;
      if (turn >= episodes.turns[e]) return make("td", "", "over");
      if (!turns.needed[t]) return make("td", "", "complete");
      const rank = turns.rank[t] ? `, ranked ${counted(turns.rank[t])}, ` : " ";
      return make("td", "", code(turns.needed[t]), rank, exposed(t) ? passing("exposed") : failing("not exposed"));
    };
    const head = (text, scope) => make("th", { scope }, text);
    const line = (turn) => make("tr", "", head(String(turn + 1), "row"), ...shown.map(cell(turn)));
    return make("table", "browser-course", make("caption", "", "The tool that is needed next, turn by turn"),
      make("thead", "", make("tr", "", head("Turn", "col"), ...shown.map((e) => head(conditionOf(e), "col")))),
      make("tbody", "", ...numbers.map(line)));
  }

  function summary(e) {
    const at = episodes.completed_at[e], missed = episodes.missed[e];
    return make("li", "", make("strong", "", conditionOf(e)), ": ", outcome(e), `; ${steps(e)} steps`,
      at ? `, complete in turn ${at}; ` : "; ", `${counted(episodes.turns[e], "turn")}, ended by ${plain(texts[episodes.ending[e]])}; `,
      missed ? `the first exposure missed ${counted(missed, "required tool")}` : "the first exposure held every required tool");
  }

  function comparison(e) {
    const options = data.conditions.map((condition, place) =>
      place === episodes.condition[e] ? new Option("no other condition", "") : new Option(condition));
    const select = make("select", "", ...options);
    select.value = state.with >= 0 ? conditionOf(state.with) : "";
    select.addEventListener("change", () => {
      state.with = sibling(e, select.value);
      history.replaceState(null, "", address({}));
      showEpisode();
      article.querySelector("select").focus();
    });
    return make("label", "browser-field", "Compare with", select);
  }

  function showEpisode() {
    const e = state.episode, task = tasks[episodes.task[e]], place = found.indexOf(e);
    const shown = [e, state.with].filter((one) => one >= 0);
    const numbers = Array.from({ length: Math.max(...shown.map((one) => episodes.turns[one])) }, (_, turn) => turn);
    const language = data.languages[task.language];
    const lang = /^[a-z]{2,3}$/.test(language) ? language : "";
    const move = (text, other) =>
      other !== undefined && make("a", { href: address({ episode: other, with: beside(other) }) }, text);
    const turn = (number) => make("li", "", make("h4", "", `Turn ${number + 1}`),
      make("div", `browser-pair browser-pair-${shown.length}`, ...shown.map((one) => card(one, number))));
    const parts = [
      make("nav", { class: "browser-moves", "aria-label": "Between episodes" }, make("a", { href: address({ episode: -1 }) }, "All episodes"),
        move("Previous episode", found[place - 1]), place >= 0 && move("Next episode", found[place + 1]),
        place >= 0 && make("span", "", `${counted(place + 1)} of ${counted(found.length)} that match`)),
      make("h3", { id: "browser-name", tabindex: -1 }, task.id),
      make("p", "", `${plain(data.strata[task.stratum])}, ${plain(language)}, catalog of ${catalogOf(e)} tools`),
      make("blockquote", { class: "browser-query", dir: "auto", lang }, task.query),
      language !== "en" && make("p", "browser-gloss", make("span", "browser-label", "In English"), task.gloss),
      make("p", "", "Required: ", ...task.steps.flatMap((route, step) => [step ? " → " : "", code(route)])),
      comparison(e),
      make("ul", "browser-summary", ...shown.map(summary)),
      course(shown, numbers),
      make("ol", "browser-turns", ...numbers.map(turn)),
    ];
    article.replaceChildren(...parts.filter(Boolean));
  }

  // --- What the reader does ------------------------------------------------------------------

  /** Show what the state says; `moved` when the reader came here by a link. */
  function show(moved, left = -1) {
    showList();
    const open = state.episode >= 0;
    list.hidden = open;
    article.hidden = !open;
    if (open) showEpisode();
    else article.replaceChildren();
    if (open && moved) by("browser-name").focus();
    if (open && moved) article.scrollIntoView();
    if (open || left < 0) return;
    // Back where the reader was: on the page, and the row, of the episode that was open.
    const place = found.indexOf(left);
    if (place >= 0) state.page = Math.floor(place / PAGE);
    showList();
    const link = links().find((one) => Number(one.dataset.episode) === left);
    if (link) stopAt(link, true);
    else form.elements.condition.focus();
  }

  window.addEventListener("hashchange", () => {
    const left = state.episode;
    if (readAddress()) show(true, left);
  });
  const filtered = () => {
    for (const key of FILTERS) state[key] = form.elements[key].value;
    state.page = 0;
    showList();
    history.replaceState(null, "", address({}));
  };
  form.addEventListener("input", filtered);
  form.addEventListener("reset", () => setTimeout(filtered));
  form.addEventListener("submit", (event) => event.preventDefault());
  by("browser-pages").addEventListener("click", (event) => {
    const { value, ariaDisabled } = event.target;
    if (value && ariaDisabled !== "true") turnPage(Number(value));
  });
  body.addEventListener("keydown", (event) => {
    const all = links(), at = all.indexOf(event.target);
    if (at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (event.key === "PageDown" || event.key === "PageUp") {
      turnPage(event.key === "PageDown" ? 1 : -1);
      stopAt(links()[0], true);
    } else if (next !== undefined) stopAt(all[Math.min(Math.max(next, 0), all.length - 1)], true);
    else return;
    event.preventDefault();
  });
  article.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && event.target.tagName !== "SELECT") location.hash = address({ episode: -1 });
  });
  window.addEventListener("beforeprint", () => {
    // Not a whole catalog, which stands there in every turn.
    for (const details of article.querySelectorAll("details")) details.open = details.querySelectorAll("li").length <= 20;
  });

  const named = readAddress();
  show(named && state.episode >= 0);
})();
