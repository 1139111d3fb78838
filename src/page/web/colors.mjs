// colors.mjs - Colours of frames: by module, file, name or kind, and by change in a comparison.

const HUES = 48, STEPS = 20; // steps from no change to the largest one

const variable = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Hues that differ much for neighbouring numbers: multiples of the golden angle. */
const hueOf = index => (index * 137.508 + 250) % 360;

function hashText(text) {
  let hash = 2166136261;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  return (hash >>> 8) % HUES;
}

export class Colors {
  constructor(profile) {
    this.profile = profile;
    this.themed();
    this.modes = this.possible();
  }

  /** The modes in which colours distinguish frames, the most useful first: modules or files if there are at least two;
   *  names. */
  possible() {
    const { frames, comparison } = this.profile, apart = name => new Set(frames[name]).size > 1;
    const known = name => new Set(frames[name].filter(id => this.profile.strings[id])).size > 1;
    const modes = comparison ? ["change"] : [], groups = ["module", "file"];
    return [...modes, ...groups.filter(known), "name", ...groups.filter(name => apart(name) && !known(name)),
            ...(apart("kind") ? ["kind"] : [])];
  }

  /** The theme changed. */
  themed() {
    const [light, chroma] = variable("--frame-tone").split(" ");
    const tone = (l, c, h) => `oklch(${l} ${c} ${h})`;
    this.fills = Array.from({ length: HUES }, (_, i) => tone(light, chroma, hueOf(i)));
    this.plain = variable("--frame-plain");
    for (const name of ["text", "muted", "rest", "match", "line", "surface", "accent", "dim", "raised", "soft"])
      this[name] = variable(`--${name === "text" ? "frame-text" : name}`);
    const [from, to, strength] = variable("--change-tone").split(" ").map(Number);
    const change = hue => Array.from({ length: STEPS + 1 }, (_, i) =>
      tone(from + (to - from) * i / STEPS, strength * i / STEPS, hue));
    this.grown = change(27);
    this.shrunk = change(252);
  }

  /** Colour by `mode` from now on. */
  by(mode) {
    this.mode = this.modes.includes(mode) ? mode : this.modes[0];
    this.index = new Uint8Array(this.profile.frames.count);
    const { frames, strings } = this.profile;
    if (this.mode === "change") return;
    const ids = new Map();
    for (let f = 0; f < frames.count; f++) {
      if (this.mode === "name") this.index[f] = hashText(strings[frames.name[f]]);
      else {
        const id = this.profile.frames[this.mode][f];
        if (!ids.has(id)) ids.set(id, ids.size % HUES);
        this.index[f] = ids.get(id);
      }
    }
  }

  ofKey(key) {
    return key < 0 || this.profile.isThread(key) ? this.plain : this.fills[this.index[key]];
  }

  /** change: from -1 (vanished, or the largest loss) to 1. */
  ofChange(change) {
    const step = Math.round(Math.min(Math.abs(change), 1) * STEPS);
    return (change < 0 ? this.shrunk : this.grown)[step];
  }
}
