// speedscope's own JSON schema, as npm speedscope ships it.
import assert from "node:assert/strict";
import fs from "node:fs";
import Ajv from "ajv";

const schema = JSON.parse(fs.readFileSync("node_modules/speedscope/dist/release/file-format-schema.json"));
const validate = new Ajv({ strict: false, allErrors: true }).compile(schema);
for (const file of fs.readdirSync(".").filter(f => f.endsWith(".speedscope.json"))) {
  const data = JSON.parse(fs.readFileSync(file));
  assert.ok(validate(data), `${file}: ${JSON.stringify(validate.errors?.slice(0, 3))}`);
  console.log(`${file}: ${data.profiles.length} profiles, ${data.shared.frames.length} frames`);
}
const broken = { shared: { frames: [] }, profiles: [{ type: "sampled" }] };
assert.ok(!validate(broken), "the schema takes anything");
