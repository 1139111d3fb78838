// table.mjs - A table that makes elements only for its visible rows, so that 100,000 rows scroll as fast as ten. The
// keyboard reaches all rows.
import { element } from "./tooltip.mjs";

const HEIGHT = 26, MORE = 8; // pixels of a row; additional rows at both ends of the visible ones

/** At most so many rows are shown, since browsers limit the height of an element. */
export const ROWS_MOST = 600000;

/** columns: [{ name, title, text(row), number, sort }]; actions: { select(row), sort(name) }. A row is an integer.
 *  `text` returns the text of its cell; `html` fills the cell instead. */
export class Table {
  constructor(box, label, columns, actions) {
    Object.assign(this, { box, columns, actions, rows: [], active: 0, selected: -1 });
    this.table = element("table", "rows");
    this.table.setAttribute("aria-label", label);
    this.head = this.table.createTHead();
    this.body = this.table.createTBody();
    this.makeHead();
    box.replaceChildren(this.table);
    box.onscroll = () => this.draw();
    this.body.addEventListener("click", e => this.clicked(e));
    this.body.addEventListener("keydown", e => this.pressed(e));
    this.observer = new ResizeObserver(() => this.draw(true));
    this.observer.observe(box);
  }

  makeHead() {
    const row = this.head.insertRow();
    for (const column of this.columns) {
      const cell = element("th", column.number ? "number" : "");
      cell.scope = "col";
      if (column.sort) {
        const button = element("button", "", column.title);
        button.type = "button";
        button.title = `sort by ${column.title}`;
        button.onclick = () => this.actions.sort(column.name);
        cell.append(button);
      } else cell.textContent = column.title;
      cell.dataset.column = column.name;
      row.append(cell);
    }
  }

  /** Show the order in the heads of the columns. */
  sorted(name, descending) {
    for (const cell of this.head.rows[0].cells) {
      if (cell.dataset.column === name) cell.setAttribute("aria-sort", descending ? "descending" : "ascending");
      else cell.removeAttribute("aria-sort");
    }
  }

  show(rows, selected) {
    this.rows = rows.length > ROWS_MOST ? rows.slice(0, ROWS_MOST) : rows;
    this.selected = selected;
    this.active = Math.max(0, this.rows.indexOf(selected));
    this.table.setAttribute("aria-rowcount", this.rows.length + 1);
    this.draw(true);
  }

  select(row, reveal) {
    this.selected = row;
    const at = this.rows.indexOf(row);
    if (at >= 0) {
      this.active = at;
      if (reveal) this.reveal(at);
    }
    this.draw(true);
  }

  reveal(at) {
    const { scrollTop, clientHeight } = this.box, top = at * HEIGHT, head = this.head.offsetHeight;
    if (top < scrollTop) this.box.scrollTop = top;
    else if (top + HEIGHT + head > scrollTop + clientHeight) this.box.scrollTop = top + HEIGHT + head - clientHeight;
  }

  draw(again = false) {
    const first = Math.max(0, Math.floor(this.box.scrollTop / HEIGHT) - MORE);
    const last = Math.min(this.rows.length, first + Math.ceil(this.box.clientHeight / HEIGHT) + 2 * MORE);
    if (!again && first === this.first && last === this.last) return;
    Object.assign(this, { first, last });
    const focused = this.body.contains(document.activeElement), made = [];
    if (first) made.push(this.space(first));
    for (let i = first; i < last; i++) made.push(this.makeRow(i));
    if (last < this.rows.length) made.push(this.space(this.rows.length - last));
    this.body.replaceChildren(...made);
    if (focused) this.focusActive();
  }

  space(rows) {
    const row = element("tr", "space"), cell = element("td");
    row.setAttribute("aria-hidden", "true");
    cell.colSpan = this.columns.length;
    cell.style.height = `${rows * HEIGHT}px`;
    row.append(cell);
    return row;
  }

  makeRow(i) {
    const made = element("tr", this.rows[i] === this.selected ? "selected" : "");
    made.dataset.at = i;
    made.tabIndex = i === this.active ? 0 : -1;
    made.setAttribute("aria-rowindex", i + 2);
    if (this.rows[i] === this.selected) made.setAttribute("aria-current", "true");
    for (const column of this.columns) {
      const cell = element("td", column.number ? "number" : "name");
      cell.dataset.column = column.name;
      if (column.fill) column.fill(cell, this.rows[i]);
      else cell.textContent = column.text(this.rows[i]);
      made.append(cell);
    }
    return made;
  }

  focusActive() {
    this.body.querySelector(`tr[data-at="${this.active}"]`)?.focus({ preventScroll: true });
  }

  clicked(event) {
    const row = event.target.closest("tr[data-at]");
    if (!row || !getSelection().isCollapsed) return;
    this.active = Number(row.dataset.at);
    this.actions.select(this.rows[this.active]);
  }

  pressed(event) {
    const page = Math.max(1, Math.floor(this.box.clientHeight / HEIGHT) - 2);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.key === "Enter" || event.key === " ") this.actions.select(this.rows[this.active]);
    else if (event.key in steps) {
      this.active = Math.max(0, Math.min(this.rows.length - 1, this.active + steps[event.key]));
      this.reveal(this.active);
      this.draw(true);
      this.focusActive();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
