// The table: one row for each package. `wasm`: files of it that are instantiated, in that order (none:
// it carries them in its JavaScript). `work` does something real through the package's own interface and
// gives what came of it.
import { images } from "./images.mjs";
import { languages } from "./languages.mjs";
import { others } from "./others.mjs";

export const table = [...images, ...languages, ...others];
