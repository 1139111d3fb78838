// accessible.mjs - Shows the focused frame, its parent, siblings and children to screen readers, as a tree of
// elements: they cannot read the canvas. Arrow keys move the focus in the tree and in the picture.
import { element, factsText, round } from "./tooltip.mjs";
import { figureShare, figureText } from "./text.mjs";

const SHOWN_MOST = 60; // siblings and children in the tree

export class AccessibleTree {
  constructor(box, profile) {
    Object.assign(this, { box, profile });
    this.inner = element("div", "hidden-tree");
    box.append(this.inner);
  }

  text(view, id, value) {
    const key = view.key[id];
    return [this.profile.label(key), `total ${figureText(round(view.total[id]), value)}`,
            figureShare(view.total[id], view.costs.sum, value), `self ${figureText(round(view.self[id]), value)}`,
            factsText(this.profile, key)].filter(Boolean).join(", ");
  }

  item(view, id, value, { level, position, size, expanded }) {
    const made = element("div", "", this.text(view, id, value));
    made.id = `frame-${id}`;
    made.setAttribute("role", "treeitem");
    made.setAttribute("aria-level", level);
    made.setAttribute("aria-posinset", position);
    made.setAttribute("aria-setsize", size);
    if (expanded !== undefined) made.setAttribute("aria-expanded", expanded);
    return made;
  }

  /** Show the focused frame, with its parent, siblings and children. */
  show(view, focused, value) {
    const items = [], parent = view.parent[focused], level = view.depth[focused] + 1;
    const several = (id, own) => {
      const count = view.expand(id), first = view.firstChild[id];
      const from = own >= 0 ? Math.max(0, Math.min(own - first - SHOWN_MOST / 2, count - SHOWN_MOST)) : 0;
      const ids = Array.from({ length: Math.min(count, SHOWN_MOST) }, (_, i) => first + from + i);
      return ids.map((c, i) => ({ id: c, position: from + i + 1, size: count }));
    };
    if (parent >= 0) items.push(this.item(view, parent, value, { level: level - 1, position: 1, size: 1, expanded: true }));
    const siblings = parent >= 0 ? several(parent, focused) : [{ id: focused, position: 1, size: 1 }];
    for (const { id, position, size } of siblings) {
      const inside = id === focused ? several(focused, -1) : [];
      const item = this.item(view, id, value, { level, position, size, expanded: inside.length ? true : undefined });
      if (id === focused) item.setAttribute("aria-selected", "true");
      items.push(item, ...inside.map(c => this.item(view, c.id, value, { level: level + 1, position: c.position, size: c.size })));
    }
    this.inner.replaceChildren(...items);
    this.box.setAttribute("aria-activedescendant", `frame-${focused}`);
  }
}
