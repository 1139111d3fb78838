// What the tables of modules share: packages, files, pictures.
import { createHash } from "node:crypto";
import fs from "node:fs";
import { createRequire } from "node:module";

export const require = createRequire(import.meta.url);
export const path = file => new URL(`node_modules/${file}`, import.meta.url).pathname;
export const bytes = file => fs.readFileSync(path(file));
export const compile = file => WebAssembly.compile(bytes(file));

/** Old JavaScript of Emscripten's fetches what is a file, if there is a fetch. */
export const withoutFetch = () => delete globalThis.fetch;

/** Numbers that look like chance, the same each time. */
export function* numbers(seed = 1) {
  for (let x = seed; ; yield x >>> 24) x = (Math.imul(x, 1664525) + 1013904223) >>> 0;
}

/** A picture with areas, slopes, edges and noise. */
export function picture(width, height) {
  const data = new Uint8ClampedArray(4 * width * height), noise = numbers();
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at += 4) {
      const inside = (x - width / 2) ** 2 + (y - height / 2) ** 2 < width * height / 9;
      data.set([inside ? 200 : x * 4, (y * 255 / height) | 0, noise.next().value >> 3, 255], at);
    }
  return { data, width, height, colorSpace: "srgb" };
}

/** A result as text to compare: bytes as they are, all else as JSON. */
export function digest(value) {
  const hash = createHash("sha256");
  const feed = v => {
    if (v instanceof ArrayBuffer) v = new Uint8Array(v);
    if (ArrayBuffer.isView(v)) hash.update(new Uint8Array(v.buffer, v.byteOffset, v.byteLength));
    else if (Array.isArray(v)) v.forEach(feed);
    else hash.update(`${JSON.stringify(v)};`);
  };
  feed(value);
  return hash.digest("hex");
}

/** How far two pictures are from each other: the mean of the differences. */
export function distance(a, b) {
  let sum = 0;
  for (let i = 0; i < a.data.length; i++) sum += Math.abs(a.data[i] - b.data[i]);
  return sum / a.data.length;
}
