// Packages of npm from the build folder or NODE_PATH; without one the test is skipped.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..", "..");

/// The folder of a package.
export function packageFolder(name) {
    const folders = [path.join(root, "build", "node_modules"), ...(process.env.NODE_PATH ?? "").split(path.delimiter)];
    const found = folders.filter(Boolean).map((folder) => path.join(folder, name)).find((folder) => fs.existsSync(folder));
    if (!found) {
        console.log(`no ${name}; npm install --prefix build ${name}`);
        process.exit(77);
    }
    return found;
}
