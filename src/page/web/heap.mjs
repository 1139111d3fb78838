// heap.mjs - Handles heap columns: finds allocation sites, and the blocks and bytes of each frame.
import { readValues } from "./profile.mjs";
import { countText, grouped, valueText } from "./text.mjs";

const COLUMN = /^(inuse|alloc)_(space|objects)$/;
const WORDS = { inuse: "in use", alloc: "allocated" };

/** The sign before the name of a frame that allocates, or calls an allocator such as malloc. */
export const SITE_SIGN = "◆ ";

export class Heap {
  constructor(profile) {
    this.profile = profile;
    this.allocators = new Uint8Array(profile.keys);
    for (const key of profile.header.allocators ?? []) this.allocators[key] = 1;
    this.sites = null; // by key: 1 for functions that allocate; null: not a heap column
    this.siteOf = null; // by node: the node of its allocation site; null: not a heap column
  }

  /** The model shows other costs now: read the columns for them. The promise is fulfilled when they are there. */
  async show(model) {
    const [, what, measure] = COLUMN.exec(model.value.type) ?? [], { header } = this.profile, { costs } = model;
    this.siteOf = what ? this.findSiteOf() : null;
    this.sites = what ? this.findSites(costs) : null;
    this.other = null;
    if (!what) return;
    const partner = `${what}_${measure === "space" ? "objects" : "space"}`;
    const at = header.values.findIndex(v => v.type === partner), value = header.values[at];
    if (at < 0) return;
    const [column] = await readValues(header, at);
    if (model.costs !== costs) return;
    this.other = { column: at, side: costs.sideOf(column), unit: value.unit, word: WORDS[what], inBytes: measure === "space" };
  }

  /** By node: itself, or for an allocator the frame that called it. */
  findSiteOf() {
    const { key, parent, count } = this.profile.tree, site = new Int32Array(count);
    for (let i = 0; i < count; i++) site[i] = parent[i] >= 0 && this.allocators[key[i]] ? site[parent[i]] : i;
    return site;
  }

  findSites(costs) {
    const { key, count } = this.profile.tree, sites = new Uint8Array(this.profile.keys);
    for (let i = 0; i < count; i++)
      if (costs.selfWidthOf(i)) sites[key[this.siteOf[i]]] = 1;
    return sites;
  }

  allocates = key => this.sites !== null && this.sites[key] === 1 && !this.profile.isThread(key);

  /** Does this frame allocate, itself or by calling an allocator? */
  isSite(view, id) {
    if (!this.allocates(view.key[id])) return false;
    if (!view.isInverted) return this.ownParts(view, id).length > 0;
    let inner = view.parent[id];
    while (inner > 0 && this.allocators[view.key[inner]]) inner = view.parent[inner];
    return inner === 0;
  }

  /** The frames that have a site's blocks: the site itself, and the allocators that it calls. */
  ownParts(view, id) {
    if (view.isInverted) return [id];
    const parts = view.self[id] || view.beforeSelf[id] ? [id] : [];
    for (let i = 0, count = view.expand(id), c = view.firstChild[id]; i < count; i++, c++)
      if (this.allocators[view.key[c]]) parts.push(c);
    return parts;
  }

  /** Rows for the table of a frame's costs: its blocks if the column is bytes, and its bytes if the column is blocks.
   */
  rows(view, id) {
    if (!this.other) return [];
    const amount = view.sumOver(id, this.other.side);
    return [this.other.inBytes ? ["blocks", grouped(amount), ""] : ["bytes", valueText(amount, this.other.unit), ""]];
  }

  /** "allocation site: 24 blocks, 1,200 B in use", or "". */
  siteText(view, id, value) {
    if (!this.isSite(view, id)) return "";
    if (!this.other) return "allocation site";
    let amount = 0, other = 0;
    for (const part of this.ownParts(view, id)) {
      const own = part === id && !view.isInverted;
      amount += own ? view.self[id] : view.total[part];
      other += view.sumOver(part, this.other.side, own);
    }
    const [blocks, bytes] = this.other.inBytes ? [other, amount] : [amount, other];
    return `allocation site: ${countText(blocks, "block")}, ${valueText(bytes, this.other.inBytes ? value.unit : this.other.unit)} ${this.other.word}`;
  }
}
