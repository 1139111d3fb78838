// timeline_accessible.mjs - Shows the selected call, its caller, the calls beside it and its callees to screen readers, as a tree.
import { calleesOf, callerOf } from "./timeline_calls.mjs";
import { callText } from "./timeline_facts.mjs";
import { element } from "../tooltip.mjs";

const SHOWN_CALLS = 40; // calls beside the selected one, and callees

export class CallTree {
  constructor(box, profile, axes) {
    Object.assign(this, { box, profile, axes, inner: element("div", "hidden-tree") });
    box.append(this.inner);
  }

  item(call, axis, level, position, size) {
    const made = element("div", "", [callText(this.profile, this.axes, call, axis), this.leftOut(call)].filter(Boolean).join(", "));
    made.id = `call-${call.lane.index}-${call.depth}-${call.i}`;
    made.setAttribute("role", "treeitem");
    for (const [name, value] of [["level", level], ["posinset", position], ["setsize", size]]) made.setAttribute(`aria-${name}`, value);
    return made;
  }

  /** Items for some calls of one depth, around the one at `own`. */
  several(lane, depth, first, count, own, axis, level) {
    const from = Math.max(0, Math.min(own - SHOWN_CALLS / 2, count - SHOWN_CALLS));
    return Array.from({ length: Math.min(count, SHOWN_CALLS) }, (_, n) =>
      [first + from + n, this.item({ lane, depth, i: first + from + n }, axis, level, from + n + 1, count)]);
  }

  /** Show a call. leftOut(call): a text if the filters omit it, else "". */
  show(call, axis, leftOut) {
    this.leftOut = leftOut;
    if (!call) {
      this.inner.replaceChildren();
      this.box.removeAttribute("aria-activedescendant");
      return;
    }
    const { lane, depth, i } = call, caller = callerOf(call), beside = caller ? calleesOf(caller) : { first: 0, count: lane.row(0, 0).count };
    const items = caller ? [this.item(caller, axis, depth, 1, 1)] : [], callees = calleesOf(call);
    if (caller) items[0].setAttribute("aria-expanded", "true");
    for (const [at, item] of this.several(lane, depth, beside.first, beside.count, i - beside.first, axis, depth + 1)) {
      items.push(item);
      if (at !== i) continue;
      item.setAttribute("aria-selected", "true");
      if (callees.count) item.setAttribute("aria-expanded", "true");
      items.push(...this.several(lane, depth + 1, callees.first, callees.count, 0, axis, depth + 2).map(([, callee]) => callee));
    }
    this.inner.replaceChildren(...items);
    this.box.setAttribute("aria-activedescendant", `call-${lane.index}-${depth}-${i}`);
  }
}
