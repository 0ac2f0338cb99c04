#!/usr/bin/env python3
"""The manual page and the completions name every command and every option of --help.

usage: manual.py PARLEY
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PARLEY = sys.argv[1]
MAKER = pathlib.Path(__file__).resolve().parents[2] / "tools" / "release" / "manual.py"
failures = 0


def check(holds, sentence):
    global failures
    if not holds:
        print(f"FAIL {sentence}")
        failures += 1


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=50,
                          stdin=subprocess.DEVNULL)


def check_syntax(folder):
    """With the tools that this machine has."""
    tools = [("bash", ["bash", "-n", "parley.bash"]), ("zsh", ["zsh", "-n", "_parley"]),
             ("fish", ["fish", "--no-execute", "parley.fish"]),
             ("groff", ["groff", "-man", "-Tutf8", "-ww", "-z", "parley.6"])]
    for name, command in tools:
        if not shutil.which(name):
            print(f"no {name} here to check its file")
            continue
        judged = run(*command[:-1], str(folder / command[-1]))
        check(judged.returncode == 0 and not judged.stderr, f"{name}: {judged.stderr}")


def bash_answers(folder, *words):
    """What bash offers for the last word."""
    script = (f"source {folder}/parley.bash; COMP_WORDS=(parley {' '.join(words)});"
              f"COMP_CWORD={len(words)}; _parley; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
    return run("bash", "-c", script).stdout.split()


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    answer = run(PARLEY, "--help-json").stdout
    (folder / "help.json").write_text(answer, "utf-8")
    made = run(sys.executable, str(MAKER), str(folder / "help.json"), "1.2.3", name)
    if made.returncode != 0:
        sys.exit(made.stderr)
    texts = {file: (folder / file).read_text("utf-8")
             for file in ("parley.6", "parley.bash", "_parley", "parley.fish")}
    texts["parley.6"] = texts["parley.6"].replace("\\-", "-")
    listed = re.findall(r"^  ([a-z][a-z-]*) ", run(PARLEY, "--help").stdout, re.MULTILINE)
    commands = {entry["command"]: entry for entry in map(json.loads, answer.splitlines())}
    missing = set(listed) - {command.split()[0] for command in commands}
    check(not missing, f"--help-json lacks {missing}")
    for command, entry in commands.items():
        shown = run(PARLEY, *command.split(), "--help").stdout
        options = {word for option in entry["options"] for word in option["names"]}
        check(set(re.findall(r"(?<![\w-])--[a-z][a-z0-9-]+", shown)) <= options | {"--help"},
              f"{command}: an option of --help is missing")
        for file, text in texts.items():
            for word in command.split():
                check(word in text, f"{file} lacks {word} of {command}")
            for word in options:
                known = word in text or f"-l {word[2:]} " in text or f"-s {word[1:]} " in text
                check(known, f"{file} lacks {command} {word}")
    check_syntax(folder)
    check("serve" in bash_answers(folder, "se"), "bash does not complete a command")
    check("--port" in bash_answers(folder, "serve", "--po"), "bash does not complete an option")
    print(f"{len(commands)} commands, {failures} failures")
sys.exit(1 if failures else 0)
