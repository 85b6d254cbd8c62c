// Finds games in the list of all of them by the words of their rows. Without this the list stands
// there whole, below the shelves.
(function () {
  "use strict";
  const list = document.getElementById("all");
  const title = document.querySelector("h1");
  if (!list || !title) return;
  const shelves = Array.from(document.querySelectorAll("section")).filter(function (section) {
    return !section.contains(list);
  });
  const rows = Array.from(list.children, function (row) {
    return { row: row, text: plain(row.textContent) };
  });

  const form = document.createElement("form");
  form.setAttribute("role", "search");
  const label = document.createElement("label");
  label.append("Name, map, power or year ");
  const field = document.createElement("input");
  field.type = "search";
  const told = document.createElement("output");
  told.setAttribute("aria-live", "polite");
  label.append(field);
  form.append(label, " ", told);
  title.after(form);

  // Letters without their accents, small: "Österreich" is found by "osterreich".
  function plain(text) {
    return text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  }

  function look() {
    const words = plain(field.value).split(/\s+/).filter(Boolean);
    let found = 0;
    for (const each of rows) {
      const fits = words.every(function (word) { return each.text.includes(word); });
      each.row.hidden = !fits;
      found += fits ? 1 : 0;
    }
    for (const shelf of shelves) shelf.hidden = words.length > 0;
    told.textContent = words.length ? found + (found === 1 ? " game" : " games") : "";
  }

  field.addEventListener("input", look);
  form.addEventListener("submit", function (event) { event.preventDefault(); });
  // What a browser keeps in a field when one comes back to the page.
  look();
})();
