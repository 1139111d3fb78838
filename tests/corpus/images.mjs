// Codecs and other work on pictures: Rust, and C++ by Emscripten.
import assert from "node:assert/strict";
import { bytes, compile, distance, picture } from "./common.mjs";

globalThis.ImageData ??= class { // what a page has
  constructor(data, width, height) {
    Object.assign(this, { data, width, height, colorSpace: "srgb" });
  }
};

/** Encode, decode: at most so far from what it was. */
async function there(codec, options, most) {
  const original = picture(96, 64);
  const [encode, decode] = await Promise.all(["encode", "decode"].map(name => import(`@jsquash/${codec}/${name}.js`)));
  const modules = images.find(row => row.name === codec).wasm;
  await encode.init(await compile(modules[0]));
  if (modules[1]) await decode.init(await compile(modules[1]));
  const file = await encode.default(original, options), back = await decode.default(file);
  assert.ok(distance(original, back) <= most, `${codec}: ${distance(original, back)} away`);
  return [file, back.data];
}

async function resize() {
  const { default: scale, initResize } = await import("@jsquash/resize/index.js");
  await initResize(await compile("@jsquash/resize/lib/resize/pkg/squoosh_resize_bg.wasm"));
  const small = await scale(picture(120, 90), { width: 40, height: 30 });
  assert.ok(distance(small, picture(40, 30)) < 40);
  return small.data;
}

async function oxipng() {
  const { encode } = await import("@jsquash/png/codec/pkg/squoosh_png.js"), png = await import("@jsquash/png/encode.js");
  const { default: optimise, init } = await import("@jsquash/oxipng/optimise.js");
  const [toPng, toLess] = images.find(row => row.name === "oxipng").wasm;
  await png.init(await compile(toPng));
  const { data, width, height } = picture(80, 60), file = encode(new Uint8Array(data.buffer), width, height, 8);
  await init(await compile(toLess));
  const less = await optimise(file, { level: 3 });
  assert.ok(less.byteLength < file.byteLength);
  return less;
}

async function resvg() {
  const { initWasm, Resvg } = await import("@resvg/resvg-wasm");
  await initWasm(bytes("@resvg/resvg-wasm/index_bg.wasm"));
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 60"><defs><linearGradient id="g">
    <stop offset="0" stop-color="red"/><stop offset="1" stop-color="#00f8"/></linearGradient></defs>
    <rect width="60" height="60" fill="url(#g)"/><path d="M5 50 Q 30 -20 55 50 T 40 20" stroke="white" fill="none"/>
    <circle cx="30" cy="30" r="12" opacity=".5" filter="blur(2)"/></svg>`;
  const drawn = new Resvg(svg, { fitTo: { mode: "width", value: 90 } }).render();
  assert.deepEqual([drawn.width, drawn.height], [90, 90]);
  return [drawn.pixels, drawn.asPng()];
}

export const images = [
  { name: "png", wasm: ["@jsquash/png/codec/pkg/squoosh_png_bg.wasm"], work: () => there("png", {}, 0) },
  { name: "jpeg", wasm: ["@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm", "@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm"],
    work: () => there("jpeg", { quality: 80 }, 12) },
  { name: "webp", wasm: ["@jsquash/webp/codec/enc/webp_enc_simd.wasm", "@jsquash/webp/codec/dec/webp_dec.wasm"],
    work: () => there("webp", { lossless: 1, exact: 1 }, 0) },
  { name: "avif", wasm: ["@jsquash/avif/codec/enc/avif_enc.wasm", "@jsquash/avif/codec/dec/avif_dec.wasm"],
    work: () => there("avif", { quality: 60, speed: 9 }, 20) },
  { name: "resize", wasm: ["@jsquash/resize/lib/resize/pkg/squoosh_resize_bg.wasm"], work: resize },
  { name: "oxipng", wasm: ["@jsquash/png/codec/pkg/squoosh_png_bg.wasm", "@jsquash/oxipng/codec/pkg/squoosh_oxipng_bg.wasm"],
    work: oxipng },
  { name: "resvg", wasm: ["@resvg/resvg-wasm/index_bg.wasm"], work: resvg },
];
