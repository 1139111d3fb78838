// The table: one row for each package. `wasm`: files of it that are instantiated, in that order (none:
// it carries them in its JavaScript). `work` does something real through the package's own interface and
// gives what came of it. `counts`: calls that it has counted itself. `endsInside`: it ends the process out of
// a function. `changes`: why its profile is another each time.
import { built } from "./built.mjs";
import { compilers } from "./compilers.mjs";
import { images } from "./images.mjs";
import { languages } from "./languages.mjs";
import { others } from "./others.mjs";

export const groups = { images, languages, compilers, others, built };
export const table = Object.values(groups).flat();
