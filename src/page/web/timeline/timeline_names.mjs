// timeline_names.mjs - Shows the names of lanes, beside or above them, as buttons that close and open a lane.
import { countText } from "../text.mjs";
import { element } from "../tooltip.mjs";

const NAME_HEIGHT = 22; // pixels

export class LaneNames {
  constructor(box, profile, fold) {
    Object.assign(this, { box, profile, fold, made: new Map() });
  }

  /** Lanes have been closed or opened, or others are shown. */
  forget() {
    this.stale = true;
  }

  name({ info }) {
    return info.name || this.profile.header.threads[info.thread] || "main";
  }

  make(lane) {
    const button = element("button", "lane", "", element("span", "lane-name", this.name(lane)), element("span", "lane-size", ""));
    button.type = "button";
    button.onclick = () => this.fold(lane);
    return button;
  }

  /** Show the names of the lanes in view. The name of a lane that begins above the view stays at the top. */
  show(lanes, scroll, height) {
    const visible = [];
    lanes.each(scroll, scroll + height, lane => visible.push(lane));
    if (this.stale || visible.length !== this.visible?.length || visible.some((lane, n) => lane !== this.visible[n])) this.fill(visible);
    for (const lane of visible) {
      const top = Math.min(Math.max(lane.top, scroll), lane.top + lane.height - NAME_HEIGHT) - scroll;
      this.made.get(lane).style.transform = `translateY(${Math.round(top)}px)`;
    }
  }

  fill(visible) {
    const focused = document.activeElement;
    for (const lane of visible) {
      if (!this.made.has(lane)) this.made.set(lane, this.make(lane));
      const button = this.made.get(lane), { events, depth } = lane.info;
      button.setAttribute("aria-expanded", !lane.closed);
      button.title = `${this.name(lane)}: ${countText(events, "event")}, ${depth} deep; ${lane.closed ? "open" : "close"} it`;
      button.lastChild.textContent = countText(events, "event");
    }
    this.box.replaceChildren(...visible.map(lane => this.made.get(lane)));
    if (this.box.contains(focused)) focused.focus({ preventScroll: true });
    this.visible = visible;
    this.stale = false;
  }
}
