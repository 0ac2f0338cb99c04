// Whether the texts of a page are all in the tables of its languages.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { check } from "./harness.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..", "..");
const say = path.join(root, "uci", "json", "web", "page", "say.js");

/// The German texts of a page: those in say.js and in its own texts.js.
function germanTexts(folder) {
    const scripts = [say, path.join(folder, "texts.js")].map((file) => fs.readFileSync(file, "utf8"));
    return new Function(`${scripts.join("\n")}\nreturn translations.de;`)();
}

/// The texts in the HTML that a user sees or hears.
function textsOfPage(file) {
    const html = fs.readFileSync(file, "utf8").split("<body>")[1].replace(/<(script|noscript)[^]*?<\/\1>/g, "");
    const found = [...html.matchAll(/>([^<>]+)</g), ...html.matchAll(/(?:aria-label|title)="([^"]+)"/g)];
    const isSame = (text) => ["Parley", "English", "Deutsch"].includes(text);
    return found.map(([, text]) => text.trim().replace("&larr;", "←").replace("&rarr;", "→"))
        .filter((text) => /\p{L}/u.test(text) && !text.startsWith("@") && !text.startsWith("&")
            && !isSame(text));
}

/// The texts in the arguments of say(), without those that it is given as values or put together from.
function textsOfScript(file) {
    const script = fs.readFileSync(file, "utf8");
    return [...script.matchAll(/\bsay\(/g)].flatMap(({ index }) => {
        let depth = 0;
        let end = index + 3;
        do {
            depth += { "(": 1, ")": -1 }[script[end]] ?? 0;
            ++end;
        } while (depth > 0);
        const call = script.slice(index, end);
        return [...call.matchAll(/"([^"]*)"/g)]
            .filter((one) => !/(=== |\(|replaceAll\(.*)$/.test(call.slice(4, one.index)))
            .map(([, text]) => JSON.parse(`"${text}"`));
    });
}

const placeholders = (text) => [...text.matchAll(/\{\w+\}/g)].map(String).sort().join();

/// Fails when a text of the page in a folder is not in German, or has other values there. `others` are
/// texts that its scripts put together.
export function checkTexts(folder, html, others) {
    const german = germanTexts(folder);
    const scripts = fs.readdirSync(folder).filter((name) => name.endsWith(".js") && name !== "say.js");
    const texts = [...textsOfPage(path.join(folder, html)), ...others,
                   ...scripts.flatMap((name) => textsOfScript(path.join(folder, name)))];
    check(texts.length > 50, `only ${texts.length} texts were found`);
    const missing = texts.filter((text) => !Object.hasOwn(german, text));
    check(missing.length === 0, `not in German: ${[...new Set(missing)].join(" | ")}`);
    const differing = Object.entries(german).filter(
        ([english, text]) => placeholders(english) !== placeholders(text));
    check(differing.length === 0, `other values: ${differing.map(([english]) => english)}`);
}
