// What a user has chosen for this browser: language, colours, sound, warnings.

const languages = ["en", ...Object.keys(translations)];

function initialLanguage() {
    const stored = storage.read("language");
    const wanted = [stored, ...(navigator.languages ?? [navigator.language])]
        .map((code) => String(code).slice(0, 2));
    return wanted.find((code) => languages.includes(code)) ?? "en";
}

let language = initialLanguage();

function setLanguage(code) {
    language = code;
    storage.write("language", code);
    translatePage();
    buildBoard();
    showConnection();
    show();
}

const colourSchemes = { system: "light dark", light: "light", dark: "dark" };

function applyAppearance() {
    document.documentElement.style.colorScheme = colourSchemes[element("appearance").value];
}

function applyBoardColours() {
    document.documentElement.dataset.board = element("board-colours").value;
}

/// Restores a setting, and applies and stores each change.
function keepSetting(id, apply) {
    const field = element(id);
    const property = field.type === "checkbox" ? "checked" : "value";
    const stored = storage.read(id);
    const fits = {
        checkbox: () => typeof stored === "boolean",
        text: () => typeof stored === "string",
        "select-one": () => [...field.options].some((option) => option.value === stored),
    };
    if (fits[field.type]())
        field[property] = stored;
    field.addEventListener("change", () => {
        storage.write(id, field[property]);
        apply();
    });
    apply();
}

function startSettings() {
    element("level").append(...[...element("strength").options].map((option) => option.cloneNode(true)));
    element("level").addEventListener("change", changeLevel);
    collectTexts();
    translatePage();
    element("language").value = language;
    element("language").addEventListener("change", () => setLanguage(element("language").value));
    keepSetting("name", renameSeats);
    keepSetting("appearance", applyAppearance);
    keepSetting("board-colours", applyBoardColours);
    keepSetting("sound", () => {});
    keepSetting("warn", () => {});
    element("settings-button").addEventListener("click", () => element("settings").showModal());
    for (const event of ["pointerdown", "keydown"])
        addEventListener(event, startSound, { capture: true });
}
