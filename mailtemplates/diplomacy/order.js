// Points at units on the board and makes order lines of it. The page is complete: no request leaves
// it, and the mail is written by the reader's own program. Texts are set as text, never as markup.
(function () {
  "use strict";
  const DATA = JSON.parse(document.getElementById("data").textContent);
  const MAX_MAIL_OCTETS = 1800;
  const SVG = "http://www.w3.org/2000/svg";
  const HERE = "=";
  const TOKEN = 17;
  const SETS = DATA.sets.map(text => text ? text.split(" ") : []);
  const UNITS = DATA.units.map(function (row, at) {
    const [text, side, moves, bySea, supports, convoys] = row;
    const place = text.slice(2);
    return {
      at, text, side, place, province: province(place), isFleet: text[0] === "F",
      moves: SETS[moves || 0], bySea: SETS[bySea || 0],
      supports: pairs(supports), convoys: pairs(convoys),
    };
  });
  const HEADINGS = { H: "hold", M: "move", V: "by-sea", S: "support", C: "convoy",
    R: "retreat", D: DATA.kind === "B" ? "remove" : "disband", B: "build", W: "waive" };

  let language = "en";
  let side = "";
  let orders = [];  // each {act, unit, other, goal, route}, in the order they were given
  let pick = null;  // {unit, act, other}: an order that is not complete
  let zoom = 1;

  function province(place) { return place.split("/")[0]; }

  function pairs(flat) {
    const found = new Map();
    for (let at = 0; flat && at < flat.length; at += 2) found.set(flat[at], SETS[flat[at + 1]]);
    return found;
  }

  // ---- Orders: the only part that knows how they are written.

  function compose(order) {
    const unit = order.unit ? order.unit.text : "";
    switch (order.act) {
      case "H": return unit + " H";
      case "M": return unit + " - " + order.goal;
      case "V": return unit + " - " + order.goal + " VIA";
      case "R": return unit + " R " + order.goal;
      case "D": return unit + " D";
      case "B": return "BUILD " + unit;
      case "S": return unit + " S " + order.other.text + (order.goal === HERE ? "" : " - " + order.goal);
      case "C": return unit + " C " + order.other.text + " - " + order.goal;
      default: return "WAIVE";
    }
  }

  function actsOf(unit) {
    if (DATA.kind === "B") return due() > 0 ? ["B"] : ["D"];
    if (DATA.kind === "R") return unit.moves.length ? ["R", "D"] : ["D"];
    const acts = ["H"];
    if (unit.moves.length) acts.push("M");
    if (unit.bySea.length) acts.push("V");
    if (unit.supports.size) acts.push("S");
    if (unit.convoys.size) acts.push("C");
    return acts;
  }

  function othersOf(unit, act) {
    const table = act === "S" ? unit.supports : act === "C" ? unit.convoys : new Map();
    return [...table.keys()].map(at => UNITS[at]);
  }

  function goalsOf(unit, act, other) {
    if (act === "M" || act === "R") return unit.moves;
    if (act === "V") return unit.bySea;
    if (act === "S") return other ? unit.supports.get(other.at) : [];
    if (act === "C") return other ? unit.convoys.get(other.at) : [];
    return [""];
  }

  function choicesOf(unit) {
    return actsOf(unit).flatMap(function (act) {
      const others = act === "S" || act === "C" ? othersOf(unit, act) : [null];
      return others.flatMap(other => goalsOf(unit, act, other).map(goal => ({ act, unit, other, goal })));
    });
  }

  // Fleets that convoy an army over a chain of seas: the reader's own if they suffice.
  function chainFor(army, goal) {
    const fleets = UNITS.filter(unit => (unit.convoys.get(army.at) || []).includes(goal));
    const own = fleets.filter(unit => unit.side === side);
    return shortest(own, army.province, goal) || shortest(fleets, army.province, goal) || [];
  }

  function shortest(fleets, start, goal) {
    function touches(fleet, place) { return fleet.moves.some(to => province(to) === place); }
    const ways = fleets.filter(fleet => touches(fleet, start))
      .map(fleet => [fleet]);
    const seen = new Set(ways.map(way => way[0]));
    for (const way of ways) {
      const last = way[way.length - 1];
      if (touches(last, goal)) return way;
      for (const fleet of fleets) {
        if (seen.has(fleet) || !touches(last, fleet.province)) continue;
        seen.add(fleet);
        ways.push([...way, fleet]);
      }
    }
    return null;
  }

  // ---- State.

  function say(key, facts) {
    const text = DATA.texts[language][key] || key;
    return text.replace(/\{(\w+)\}/g, (whole, name) => facts && name in facts ? String(facts[name]) : whole);
  }

  function ownUnits() { return UNITS.filter(unit => unit.side === side); }
  function row() { return DATA.sides.find(each => each[0] === side); }
  function due() { return row() ? row()[2][0] : 0; }
  function limit() { return row() ? row()[2][1] : 0; }
  function orderOf(unit) { return orders.find(order => order.unit === unit); }

  // Orders that still lack: units, or in a build phase their number.
  function missing() {
    if (DATA.kind === "B") return Math.max(0, limit() - orders.length);
    return ownUnits().filter(unit => !orderOf(unit)).length;
  }

  function nameOf(place) { return DATA.places[place] ? DATA.places[place][2] : place; }

  function nameUnit(unit) {
    return say(unit.isFleet ? "fleet" : "army", { place: nameOf(unit.place) });
  }

  function describe(order) {
    const facts = {
      unit: order.unit ? nameUnit(order.unit) : "", other: order.other ? nameUnit(order.other) : "",
      goal: order.goal ? nameOf(order.goal) : "",
    };
    return say("does-" + HEADINGS[order.act] + (order.goal === HERE ? "-hold" : ""), facts);
  }

  function file(order) {
    if (DATA.kind === "B") {
      const place = order.unit && order.unit.province;
      const rest = orders.filter(each => !place || !each.unit || each.unit.province !== place);
      const count = Math.abs(due());
      if (rest.length >= count) return tell(say("all-used", { count }));
      orders = rest;
    } else {
      orders = orders.filter(each => each.unit !== order.unit);
    }
    orders.push(order);
    pick = null;
    const helpers = order.act === "V" ? chainFor(order.unit, order.goal) : [];
    order.route = helpers.map(fleet => fleet.place);
    const own = helpers.filter(fleet => fleet.side === side);
    draw();
    tell(compose(order) + ": " + describe(order));
    if (own.length) offerFleets(order, own);
    else showNext();
  }

  function offerFleets(order, fleets) {
    const lines = fleets.map(unit => ({ act: "C", unit, other: order.unit, goal: order.goal }));
    offer([
      [say("with-fleets", { lines: lines.map(compose).join(", ") }), () => lines.forEach(file)],
      [say("without-fleets"), () => offer([])],
    ]);
  }

  function choose(unit, act, other) {
    const acts = actsOf(unit);
    const usual = ["M", "R", ...acts].find(each => acts.includes(each));
    pick = { unit, act: act || usual, other: other || null };
    draw();
    prompt();
  }

  function prompt() {
    const { unit, act, other } = pick;
    tell(say("ask-" + HEADINGS[act] + (other ? "-goal" : ""), { unit: nameUnit(other || unit) }));
  }

  function cancel() {
    pick = null;
    draw();
    tell(say("hint-" + DATA.kind.toLowerCase()));
  }

  // ---- Pointing: a place was tapped, or chosen by a key.

  function point(place) {
    if (!side) return tell(say("choose-power"));
    const here = province(place);
    if (DATA.kind === "B") return pointAtBuild(here);
    const own = ownUnits().find(unit => unit.province === here);
    if (!pick) return own ? choose(own) : tell(say("none-there", { place: nameOf(here) }));
    const { unit, act, other } = pick;
    if ((act === "S" || act === "C") && !other) {
      const helped = othersOf(unit, act).find(each => each.province === here);
      if (!helped) return refuse(here, own);
      const goals = goalsOf(unit, act, helped);
      if (goals.length === 1) return file({ act, unit, other: helped, goal: goals[0] });
      return choose(unit, act, helped);
    }
    const found = candidates(unit, act, other, here);
    if (found.length === 1) return file(found[0]);
    if (found.length) return ask(found);
    if (act === "M" && unit.province === here) return file({ act: "H", unit, other: null, goal: "" });
    refuse(here, own);
  }

  function candidates(unit, act, other, here) {
    const acts = act === "M" ? ["M", "V"] : [act];
    const fits = goal => (goal === HERE ? other.province : province(goal)) === here;
    return acts.flatMap(each => goalsOf(unit, each, other).filter(fits)
      .map(goal => ({ act: each, unit, other, goal })));
  }

  function refuse(here, own) {
    if (own && own !== pick.unit) return choose(own);
    tell(say("cannot", { unit: nameUnit(pick.unit), place: nameOf(here) }));
  }

  function pointAtBuild(here) {
    const found = ownUnits().filter(unit => unit.province === here)
      .map(unit => ({ act: due() > 0 ? "B" : "D", unit, other: null, goal: "" }));
    if (!found.length) return tell(say("none-there", { place: nameOf(here) }));
    if (found.length === 1) return file(found[0]);
    ask(found);
  }

  function ask(found) {
    draw();
    tell(say("ask-which"));
    offer(found.map(order => [describe(order), () => file(order), compose(order)]));
  }

  // ---- The page.

  function get(id) { return document.getElementById(id); }
  function tell(text) { get("told").textContent = text; }

  function make(tag, text, attributes) {
    const node = document.createElement(tag);
    if (text) node.textContent = text;
    for (const [name, value] of Object.entries(attributes || {})) node.setAttribute(name, value);
    return node;
  }

  function button(text, act, attributes) {
    const node = make("button", text, { type: "button", ...attributes });
    node.addEventListener("click", act);
    return node;
  }

  function offer(choices) {
    get("ask").replaceChildren();
    for (const [text, act, line] of choices) {
      get("ask").append(button(text, act, { "data-line": line || "" }));
    }
    if (choices.length && document.activeElement && document.activeElement !== document.body) {
      get("ask").firstChild.focus({ preventScroll: true });
    }
  }

  function fill(id, options, chosen) {
    const select = get(id);
    select.replaceChildren();
    for (const [value, text] of [["", say("choose")], ...options]) {
      select.append(make("option", text, { value }));
    }
    select.value = chosen;
    select.parentNode.hidden = !options.length;
  }

  function drawForm() {
    const units = ownUnits();
    const unit = pick ? pick.unit : null;
    const mark = each => nameUnit(each) + (orderOf(each) ? " ✓" : "");
    fill("unit", units.map(each => [each.at, mark(each)]), unit ? unit.at : "");
    get("acts").replaceChildren();
    for (const act of unit ? actsOf(unit) : []) {
      get("acts").append(button(say(HEADINGS[act]), function () {
        if ("HDB".includes(act)) file({ act, unit, other: null, goal: "" });
        else choose(unit, act);
      }, { "aria-pressed": String(pick.act === act), "data-act": act }));
    }
    if (DATA.kind === "B" && due() > 0) {
      get("acts").append(button(say("waive"), function () {
        file({ act: "W", unit: null, other: null, goal: "" });
      }, { "data-act": "W" }));
    }
    if (unit) get("acts").append(button(say("cancel"), cancel, { class: "quiet" }));
    const others = unit ? othersOf(unit, pick.act) : [];
    const other = pick && pick.other ? pick.other.at : "";
    fill("other", others.map(each => [each.at, nameUnit(each)]), other);
    const goals = unit && !"HDBW".includes(pick.act) ? goalsOf(unit, pick.act, pick.other) : [];
    fill("goal", goals.map(goal => [goal, goal === HERE ? say("hold") : nameOf(goal)]), "");
  }

  function drawList() {
    get("list").replaceChildren();
    const given = orders.filter(order => DATA.kind === "B" || order.unit);
    const rows = DATA.kind === "B" ? given : ownUnits().map(unit => orderOf(unit) || { unit, act: "" });
    for (const order of rows) {
      const item = make("li", "", order.act ? {} : { class: "todo" });
      if (order.act) {
        item.append(make("code", compose(order)), " ");
        item.append(button("×", function () {
          orders = orders.filter(each => each !== order);
          cancel();
        }, { "aria-label": say("remove-line", { line: compose(order) }) }));
      } else {
        item.append(button(say("no-order", { unit: order.unit.text }), function () {
          choose(order.unit);
          show(order.unit.place);
        }, { class: "todo" }));
      }
      get("list").append(item);
    }
    const left = side ? missing() : 0;
    get("left").textContent = !side ? "" : left ? say("left", { count: left }) : say("all-ordered");
  }

  function lines() {
    if (DATA.kind === "B") return orders.map(compose);
    return ownUnits().map(orderOf).filter(Boolean).map(compose);
  }

  // The judge refuses the orders of an old page.
  function phaseLine() { return "PHASE " + DATA.phase; }

  function signOn() { return "SIGNON " + DATA.signons[side]; }

  // One mail, or as many as programs can open: each with its own sign-on.
  function mails() {
    const made = [];
    const first = [signOn() + " ", phaseLine()];
    let body = [...first];
    for (const line of lines()) {
      if (body.length > first.length && address([...body, line]).length > MAX_MAIL_OCTETS) {
        made.push(address(body));
        body = [...first];
      }
      body.push(line);
    }
    return lines().length ? [...made, address(body)] : [];
  }

  function address(body) {
    const subject = DATA.game + " " + DATA.phase;
    return "mailto:" + encodeURIComponent(DATA.to).replace("%40", "@").replace(/%2B/g, "+") +
      "?subject=" + encodeURIComponent(subject) +
      "&body=" + encodeURIComponent(body.join("\r\n") + "\r\n");
  }

  function drawMail() {
    get("mails").replaceChildren();
    const found = mails();
    found.forEach(function (href, at) {
      const text = found.length > 1 ? say("write-part", { n: at + 1, of: found.length }) : say("write");
      get("mails").append(make("a", text, { href, class: "button" }));
    });
    get("lines").value = found.length ? [phaseLine(), ...lines()].join("\n") : "";
    get("send").hidden = !found.length;
    get("password").textContent = say("password", { line: signOn() });
  }

  function copy() {
    const field = get("lines");
    field.focus();
    field.select();
    const done = navigator.clipboard ? navigator.clipboard.writeText(field.value) : Promise.reject();
    done.catch(() => document.execCommand("copy")).then(() => tell(say("copied")));
  }

  // ---- The board.

  const board = get("board");

  function shape(tag, attributes) {
    const node = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    return node;
  }

  function spot(place) { return DATA.places[place].slice(0, 2); }

  // A standing unit's own place, or that of its token if it was dislodged.
  function spotOf(unit) { return ASIDE.get(unit.place) || spot(unit.place); }

  const ASIDE = new Map([...board.querySelectorAll("#layer-units > [data-place$='*']")].map(function (node) {
    const at = node.getAttribute("transform").match(/-?[\d.]+/g).map(Number);
    return [node.dataset.place.slice(0, -1).toUpperCase(), at];
  }));
  const TAKEN = new Set([...board.querySelectorAll("#layer-units > [data-place]")]
    .map(node => province(node.dataset.place.toUpperCase())));

  function curve(order) {
    const start = spotOf(order.unit);
    const end = spot(order.goal);
    if (order.route && order.route.length) return [start, ...order.route.map(spot), end];
    const bend = DATA.bends[order.unit.place + "-" + order.goal];
    const long = Math.hypot(end[0] - start[0], end[1] - start[1]) || 1;
    const bow = Math.min(0.08, 22 / long);
    const pull = bend || [(start[0] + end[0]) / 2 + 2 * bow * (end[1] - start[1]),
      (start[1] + end[1]) / 2 - 2 * bow * (end[0] - start[0])];
    return Array.from({ length: 17 }, function (_, step) {
      const at = step / 16;
      return [0, 1].map(n => (1 - at) ** 2 * start[n] + 2 * at * (1 - at) * pull[n] + at ** 2 * end[n]);
    });
  }

  function towards(from, to, by) {
    const long = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
    return [from[0] + (to[0] - from[0]) * by / long, from[1] + (to[1] - from[1]) * by / long];
  }

  function trim(points, atStart, atEnd) {
    const [first, last] = [points[0], points[points.length - 1]];
    const far = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
    const rest = points.filter(point => far(point, first) > atStart && far(point, last) > atEnd);
    const after = rest.length ? rest[0] : last;
    const before = rest.length ? rest[rest.length - 1] : first;
    return [towards(first, after, atStart), ...rest, towards(last, before, atEnd)];
  }

  function stroke(kind, points, withHead) {
    const path = all => "M" + all.map(point => point.map(Math.round).join(" ")).join("L");
    const d = path(points);
    const group = shape("g", { class: "stroke " + kind });
    group.append(shape("path", { d, class: "halo" }), shape("path", { d, class: "ink" }));
    if (withHead) {
      const [tip, before] = [points[points.length - 1], points[points.length - 2]];
      const back = towards(tip, before, 13);
      const [across, down] = [(back[1] - tip[1]) * 0.45, (back[0] - tip[0]) * 0.45];
      const corners = [tip, [back[0] + across, back[1] - down], [back[0] - across, back[1] + down]];
      group.append(shape("path", { class: "head", d: path(corners) + "z" }));
    } else {
      const [x, y] = points[points.length - 1];
      group.append(shape("circle", { cx: x, cy: y, r: 5, class: "head" }));
    }
    get("strokes").append(group);
  }

  function ring(at, kind, radius) {
    get("rings").append(shape("circle", { cx: at[0], cy: at[1], r: radius || TOKEN, class: kind }));
  }

  function drawOrder(order) {
    if (order.act === "W") return;
    const at = spotOf(order.unit);
    if ("MVR".includes(order.act)) {
      const end = TAKEN.has(province(order.goal)) ? TOKEN : 4;
      stroke({ M: "move", V: "move sea", R: "retreat" }[order.act], trim(curve(order), TOKEN, end), true);
    } else if (order.act === "S" || order.act === "C") {
      const aim = order.other;
      const goal = order.goal === HERE ? spot(aim.place) : spot(order.goal);
      const start = spot(aim.place);
      const end = order.goal === HERE ? towards(start, at, TOKEN) :
        [start[0] + (goal[0] - start[0]) * 0.55, start[1] + (goal[1] - start[1]) * 0.55];
      stroke(order.act === "S" ? "support" : "convoy", [towards(at, end, TOKEN), end], false);
    } else {
      ring(at, { H: "held", D: "gone", B: "built" }[order.act], TOKEN + 1);
      if (order.act !== "B") return;
      const letter = shape("text", { x: at[0], y: at[1] + 6, "text-anchor": "middle" });
      letter.textContent = order.unit.text[0];
      get("rings").append(letter);
    }
  }

  function drawBoard() {
    get("strokes").replaceChildren();
    get("rings").replaceChildren();
    for (const node of board.querySelectorAll("[data-place]")) {
      node.classList.remove("goal");
      node.removeAttribute("tabindex");
      node.removeAttribute("role");
      node.removeAttribute("aria-label");
    }
    orders.forEach(drawOrder);
    const own = new Set(ownUnits().map(unit => unit.province));
    if (pick) ring(spotOf(pick.unit), "picked", TOKEN + 3);
    const builds = DATA.kind === "B" && due() > 0;
    let goals = new Set(builds ? own : []);
    if (pick && (pick.act === "S" || pick.act === "C") && !pick.other) {
      const others = othersOf(pick.unit, pick.act);
      for (const other of others) ring(spotOf(other), "helped", TOKEN + 2);
      goals = new Set(others.map(other => other.province));
    } else if (pick) {
      const acts = pick.act === "M" ? ["M", "V"] : [pick.act];
      const found = acts.flatMap(act => goalsOf(pick.unit, act, pick.other));
      goals = new Set(found.map(goal => goal === HERE ? pick.other.province : province(goal)));
    }
    const isOwn = builds ? new Set() : own;
    for (const unit of pick || builds || !missing() ? [] : ownUnits()) {
      if (!orderOf(unit)) ring(spotOf(unit), "todo");
    }
    for (const node of board.querySelectorAll("#layer-areas > [data-place], #layer-frames > [data-place]")) {
      const place = node.dataset.place.toUpperCase();
      if (!goals.has(place) && !isOwn.has(place)) continue;
      node.classList.toggle("goal", goals.has(place));
      node.setAttribute("tabindex", "0");
      node.setAttribute("role", "button");
      const unit = isOwn.has(place) && ownUnits().find(each => each.province === place);
      node.setAttribute("aria-label", unit ? nameUnit(unit) : nameOf(place));
    }
  }

  function draw() {
    const before = document.activeElement;
    offer([]);
    drawBoard();
    drawForm();
    drawList();
    drawMail();
    if (before && before !== document.body) keepFocus(before);
  }

  // Keep the keyboard where it was: on a place, or else at the next unit or the form.
  function keepFocus(before) {
    const place = before.dataset.place;
    if (before.isConnected && (!place || before.tabIndex === 0)) {
      return before.focus({ preventScroll: true });
    }
    const next = place && ownUnits().find(unit => !orderOf(unit));
    const areas = [...board.querySelectorAll("[data-place][tabindex]")];
    const area = next && areas.find(node => node.dataset.place.toUpperCase() === next.province);
    (area || get("unit")).focus({ preventScroll: true });
  }

  // ---- Size and position of the board.

  const view = get("view");
  const [, , WIDTH, HEIGHT] = board.getAttribute("viewBox").split(" ").map(Number);

  function resize(by, at) {
    const whole = view.clientWidth / WIDTH;
    const middle = at || [
      (view.scrollLeft + view.clientWidth / 2) / zoom, (view.scrollTop + view.clientHeight / 2) / zoom,
    ];
    zoom = Math.min(3, Math.max(whole, by));
    board.style.width = WIDTH * zoom + "px";
    board.style.height = HEIGHT * zoom + "px";
    view.scrollLeft = middle[0] * zoom - view.clientWidth / 2;
    view.scrollTop = middle[1] * zoom - view.clientHeight / 2;
  }

  function show(place) {
    const [x, y] = spot(place);
    const [left, top] = [x * zoom - view.clientWidth / 2, y * zoom - view.clientHeight / 2];
    view.scrollTo({ left, top, behavior: "smooth" });
  }

  // Show the next unit without an order, unless one is in view.
  function showNext() {
    const left = DATA.kind === "B" ? [] : ownUnits().filter(unit => !orderOf(unit));
    const isSeen = unit => [0, 1].every(n => {
      const at = spotOf(unit)[n] * zoom - (n ? view.scrollTop : view.scrollLeft);
      return at > TOKEN && at < (n ? view.clientHeight : view.clientWidth) - TOKEN;
    });
    if (left.length && !left.some(isSeen)) show(left[0].place);
  }

  // Show the power's units as large as they fit, with names that can be read.
  function showOwn() {
    const spots = ownUnits().map(spotOf);
    if (!spots.length) return resize(view.clientWidth / WIDTH);
    const [xs, ys] = [0, 1].map(n => spots.map(at => at[n]));
    const box = [Math.min(...xs) - 140, Math.min(...ys) - 120, Math.max(...xs) + 140, Math.max(...ys) + 120];
    const fits = Math.min(view.clientWidth / (box[2] - box[0]), view.clientHeight / (box[3] - box[1]));
    resize(Math.min(1.4, Math.max(0.75, fits)), [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]);
  }

  // ---- Beginning.

  function choosePower(letter) {
    side = letter;
    orders = [];
    get("power").value = letter;
    cancel();
    if (!letter) tell(say("choose-power"));
    showOwn();
  }

  // The deadline in the reader's own time zone.
  function until() {
    const form = { dateStyle: "full", timeStyle: "short" };
    return DATA.until ? new Date(DATA.until).toLocaleString(language, form) : "";
  }

  function speak(code) {
    language = code in DATA.texts ? code : "en";
    document.documentElement.lang = language;
    for (const node of document.querySelectorAll("[data-say]")) {
      node.textContent = say(node.dataset.say, { phase: DATA.title[language], until: until() });
    }
    if (!DATA.until) document.querySelector("[data-say='until']").textContent = say("no-deadline");
    board.setAttribute("aria-label", say("board"));
    view.setAttribute("aria-label", say("board"));
    get("language").textContent = say("other-language");
    const first = DATA.sides.some(each => each[0] === side) ? side : "";
    fill("power", DATA.sides.map(([code, name]) => [code, DATA.names[language][name]]), first);
    cancel();
    if (!side) tell(say("choose-power"));
  }

  board.addEventListener("click", function (event) {
    const node = event.target.closest("[data-place]");
    if (node) point(node.dataset.place.replace("*", "").toUpperCase());
  });
  board.addEventListener("keydown", function (event) {
    if ((event.key === "Enter" || event.key === " ") && event.target.dataset.place) {
      event.preventDefault();
      point(event.target.dataset.place.toUpperCase());
    }
  });
  document.addEventListener("keydown", event => event.key === "Escape" && cancel());
  get("power").addEventListener("change", () => choosePower(get("power").value));
  get("unit").addEventListener("change", function () {
    const unit = UNITS[get("unit").value];
    if (!get("unit").value) return cancel();
    choose(unit);
    show(unit.place);
  });
  get("other").addEventListener("change", function () {
    if (get("other").value) point(UNITS[get("other").value].province);
  });
  get("goal").addEventListener("change", function () {
    if (get("goal").value) file({ ...pick, goal: get("goal").value });
  });
  get("language").addEventListener("click", () => speak(language === "en" ? "de" : "en"));
  get("copy").addEventListener("click", copy);
  get("larger").addEventListener("click", () => resize(zoom * 1.3));
  get("smaller").addEventListener("click", () => resize(zoom / 1.3));

  // A link of a letter ends in #N-S1901M, its power and phase. It contains no secret.
  const [letter, phase] = location.hash.slice(1).split("-");
  speak(DATA.language || (navigator.language || "en").slice(0, 2));
  choosePower(DATA.sides.some(each => each[0] === letter) ? letter : "");
  get("page").hidden = false;
  showOwn();
  if (phase && phase !== DATA.phase) tell(say("other-phase", { phase: DATA.phase }));
  // Every line that the page can make, for tests.
  window.orderBoard = { lines: function () {
    const [before, found] = [side, {}];
    for (const unit of UNITS.filter(each => DATA.sides.some(one => one[0] === each.side))) {
      side = unit.side;
      found[unit.text] = choicesOf(unit).map(compose);
    }
    side = before;
    return found;
  } };
})();
