// Holds ajv and the JSON language service of VS Code to our schemas. Run by `cargo xtask consumers`:
//
//     node check.mjs ROOT EXPECTED
//
// ROOT is the project; EXPECTED a file of `{ schemas: [path], documents: [{ schema, instance, value, valid }] }`, where the
// verdicts are those of the Rust validator. Prints what was held, and each difference; exits with 1 when there is one.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv";
import Ajv2020 from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { getLanguageService } from "vscode-json-languageservice";
import { TextDocument } from "vscode-languageserver-textdocument";

const [root, expectedFile] = process.argv.slice(2);
const read = (path) => JSON.parse(readFileSync(path, "utf8"));
const expected = read(expectedFile);
const faults = [];
const fault = (what) => faults.push(what);

/** Keywords that editors know and validators do not. */
const FOR_EDITORS = [
  "markdownDescription", "markdownEnumDescriptions", "enumDescriptions", "defaultSnippets", "deprecationMessage",
  "doNotSuggest", "suggestSortText", "errorMessage", "patternErrorMessage",
];

/** A validator that refuses keywords it does not know, for the draft that a schema says it is written in. */
function validator(schema) {
  const options = { strict: true, strictTypes: false, strictRequired: false, allErrors: false, validateSchema: true };
  const ajv = schema.$schema.includes("draft-07") ? new Ajv(options) : new Ajv2020(options);
  addFormats(ajv);
  for (const format of ["uint", "uint8", "uint16", "uint32", "uint64", "int64", "double"]) ajv.addFormat(format, true);
  for (const keyword of FOR_EDITORS) ajv.addKeyword(keyword);
  return ajv.compile(schema);
}

function ajvAgrees() {
  const validators = new Map();
  for (const path of expected.schemas) {
    try {
      validators.set(path, validator(read(join(root, path))));
    } catch (error) {
      fault(`ajv does not take ${path}: ${error.message}`);
    }
  }
  let held = 0;
  for (const { schema, instance, value, valid } of expected.documents) {
    const validate = validators.get(schema);
    if (!validate) continue;
    held += 1;
    if (validate(value) !== valid) {
      const why = valid ? validate.errors.map((one) => `${one.instancePath} ${one.message}`).join("; ") : "it takes it";
      fault(`ajv: ${instance} against ${schema} should be ${valid ? "valid" : "invalid"}: ${why}`);
    }
  }
  console.log(`  ajv: ${validators.size} schemas compile in strict mode; ${held} documents judged as by the Rust validator`);
}

const CURSOR = "¦";

/** The cases of editor.json: what a person sees at a place of a file. */
async function editorShows() {
  const { cases } = read(join(root, "xtask/consumers/editor.json"));
  const catalog = read(join(root, "schemas/catalog.json"));
  // Both drafts of a form serve the same files: an editor takes one of them, and is to show the same with either.
  for (const draft of ["2020-12", "draft-07"]) {
    const service = getLanguageService({});
    service.configure({
      validate: true,
      schemas: catalog.schemas.map(({ fileMatch, url }) => {
        const path = join(root, "schemas", draft === "2020-12" ? url : url.replace(".schema.json", ".draft-07.schema.json"));
        return { uri: `file:///${path}`, fileMatch, schema: exists(path) };
      }).concat(cases.filter(({ form }) => form).map(({ file, form }) => {
        // What a person tells the editor where no pattern of the catalogue does.
        const path = join(root, "schemas", `${form}${draft === "draft-07" ? ".draft-07" : ""}.schema.json`);
        return { uri: `file:///${path}#told`, fileMatch: [`**/${file}`], schema: exists(path) };
      })).filter((one) => one.schema),
    });
    for (const one of cases) await check(service, draft, one);
  }
  console.log(`  VS Code's language service: ${cases.length} places, each with both drafts`);
}

function exists(path) {
  try {
    return read(path);
  } catch {
    return undefined;
  }
}

async function check(service, draft, { name, file, text, completes, lacks, hover, problems }) {
  const where = `VS Code, ${draft}: ${name}`;
  const offset = text.indexOf(CURSOR);
  const document = TextDocument.create(`file:///project/${file}`, "json", 1, text.replace(CURSOR, ""));
  const parsed = service.parseJSONDocument(document);
  const position = document.positionAt(Math.max(offset, 0));

  if (completes || lacks) {
    const list = await service.doComplete(document, position, parsed);
    const labels = list.items.map((item) => item.label);
    for (const label of completes ?? []) {
      if (!labels.includes(label)) fault(`${where}: ${JSON.stringify(label)} is not offered, only ${JSON.stringify(labels)}`);
    }
    for (const label of lacks ?? []) {
      if (labels.includes(label)) fault(`${where}: ${JSON.stringify(label)} is offered`);
    }
  }
  if (hover) {
    const found = await service.doHover(document, position, parsed);
    const said = found ? [found.contents].flat().map((part) => part.value ?? part).join("\n") : "";
    for (const words of hover) {
      if (!said.includes(words)) fault(`${where}: the hover does not say ${JSON.stringify(words)}: ${JSON.stringify(said)}`);
    }
  }
  if (problems) {
    const found = (await service.doValidation(document, parsed)).map((one) => ({
      at: document.getText(one.range),
      line: one.range.start.line + 1,
      says: one.message,
    }));
    const list = JSON.stringify(found);
    if (found.length !== problems.length) fault(`${where}: ${problems.length} problems are to be told, not ${list}`);
    for (const problem of problems) {
      const told = found.some((one) =>
        one.at === problem.at && (!problem.line || one.line === problem.line) && one.says.includes(problem.says));
      if (!told) fault(`${where}: ${JSON.stringify(problem)} is not told: ${list}`);
    }
  }
}

ajvAgrees();
await editorShows();
for (const one of faults) console.error(`  difference: ${one}`);
process.exit(faults.length ? 1 : 0);
