#!/usr/bin/env python3
"""Writes the manual page and the shell completions from what `parley --help-json` prints, which is
the table that --help prints too.

usage: manual.py HELP VERSION FOLDER

HELP is a file with that output. FOLDER gets parley.6, parley.bash, _parley and parley.fish.
"""
import json
import pathlib
import sys

# What a command reads where --help names no option. UCI commands are described in a UCI session.
SHORT_FORMS = [("-s", "chenserver"), ("-p PORT", "chenserver --port PORT"), ("--json", "json")]

DESCRIPTION = """\
Parley is a chess engine. Without arguments it speaks UCI, the Universal Chess Interface, on standard
input and output, as chess programs expect; if the first line is a command of ChenServer or a JSON
message, it speaks that protocol. Its servers let people play in a browser and let programs play over
the network. It plays standard chess and Chess960.

A COMMAND chooses a protocol or a tool. Any UCI command can be an argument too; Parley ends when it is
done. If an argument contains a blank, or all are words of commands (parley d eval), each argument is one
UCI command. The first one that is refused ends the program with status 2."""

EXAMPLES = [("parley bench", "prints the speed of this machine."),
            ('parley "position startpos moves e2e4" "go movetime 1000"', "thinks for a second."),
            ("parley serve", "serves a page to play on at http://localhost:8080."),
            ("PARLEY_SIMD=plain parley bench", "measures the speed without SIMD instructions.")]


def roff(text):
    """Text as roff reads it: backslashes, hyphens that can be copied, no control lines."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in text.split("\n"))


def option_title(option):
    if option["positional"]:
        return f"\\fI{roff(option['positional'])}\\fR"
    value = f" \\fI{roff(option['value'])}\\fR" if option["value"] else ""
    return ", ".join(f"\\fB{roff(name)}\\fR{value}" for name in option["names"])


def option_text(option):
    text = option["help"].rstrip(".") + "."
    if option["default"]:
        text += f" Default: {option['default']}."
    return roff(text)


def is_common(option):
    return option["names"] and option["names"][-1] in ("--help", "--config")


def manual(commands, version):
    lines = [f'.TH PARLEY 6 "" "Parley {version}" "Games"', ".SH NAME",
             "parley \\- chess engine that speaks UCI and serves games", ".SH SYNOPSIS",
             ".B parley", ".br", ".B parley", ".I COMMAND", "[\\fIOPTION\\fR]...", ".br",
             ".B parley", ".I UCI\\-COMMAND\\fR...", ".br",
             ".B parley \\-\\-help", "|", ".B \\-\\-version", ".SH DESCRIPTION",
             roff(DESCRIPTION).replace("\n\n", "\n.PP\n"), ".SH COMMANDS"]
    for command in commands:
        lines += [f".SS parley {roff(command['command'])}", roff(command["summary"])]
        for option in command["options"]:
            if not is_common(option):
                lines += [".TP", option_title(option), option_text(option)]
        if command["footer"]:
            lines += [".PP", roff(command["footer"])]
    lines += [".SH OPTIONS OF ALL COMMANDS"]
    for option in commands[0]["options"]:
        if is_common(option):
            lines += [".TP", option_title(option), option_text(option)]
    lines += [".SH SHORT FORMS"]
    for short, long in SHORT_FORMS:
        lines += [".TP", f"\\fBparley {roff(short)}\\fR", f"is \\fBparley {roff(long)}\\fR."]
    lines += [".SH EXIT STATUS", "0 for success, 1 for a failure, 2 for wrong arguments or a refused UCI command among them.",
              ".SH ENVIRONMENT",
              "Each option can be set by a variable: \\fB\\-\\-log\\-level\\fR by \\fBPARLEY_LOG_LEVEL\\fR. "
              "The command line has precedence, then the environment, then the file of "
              "\\fB\\-\\-config\\fR.",
              ".TP", "\\fBPARLEY_SIMD\\fR",
              roff("The instruction set of the network: plain, sse41, avx2, avx512 or neon. Without "
                   "it Parley takes the fastest that the processor has; --version tells which."),
              ".SH EXAMPLES"]
    for example, text in EXAMPLES:
        lines += [".TP", f"\\fB{roff(example)}\\fR", roff(text)]
    lines += [".SH SEE ALSO", ".BR xboard (6),", ".BR polyglot (6),", ".BR cutechess (6)"]
    return "\n".join(lines) + "\n"


def option_words(command):
    return [name for option in command["options"] for name in option["names"]]


def grouped(commands):
    """One entry for each first word: "book make" and "book show" are actions of "book"."""
    groups = {}
    for command in commands:
        name, _, action = command["command"].partition(" ")
        group = groups.setdefault(name, {"command": name, "summary": command["summary"],
                                         "actions": [], "options": []})
        group["actions"] += [action] if action else []
        known = option_words(group)
        group["options"] += [option for option in command["options"]
                             if not set(option["names"]) & set(known)]
    return list(groups.values())


def takes_path(option):
    return any(word in option["value"] for word in ("FILE", "FOLDER", "PATH"))


def bash(commands):
    cases = ""
    for command in commands:
        paths = [name for option in command["options"] if takes_path(option)
                 for name in option["names"]]
        if paths:
            cases += (f"        {command['command']})\n"
                      f"            case $before in {'|'.join(paths)}) files=yes ;; esac\n"
                      f"            words='{' '.join(command['actions'] + option_words(command))}' ;;\n")
        else:
            cases += f"        {command['command']}) words='{' '.join(command['actions'] + option_words(command))}' ;;\n"
    names = " ".join(command["command"] for command in commands)
    return f"""# Completion of parley for bash.
_parley() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} words files=
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W '{names} --help --version' -- "$word")
        return
    fi
    case ${{COMP_WORDS[1]}} in
{cases}        *) return ;;
    esac
    if [[ -z $files && ( $word == -* || $COMP_CWORD == 2 && $words != -* ) ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    else
        compopt -o default 2>/dev/null
    fi
}}
complete -F _parley parley
"""


def zsh_quoted(text):
    return text.replace("\\", "\\\\").replace("'", "'\\''").replace("[", "\\[").replace(
        "]", "\\]").replace(":", "\\:")


def zsh(commands):
    names = "\n".join(f"        '{command['command']}:{zsh_quoted(command['summary'].rstrip('.'))}'"
                      for command in commands)
    cases = ""
    for command in commands:
        specs = []
        for option in command["options"]:
            value = ""
            if option["value"] and option["names"]:
                value = f":{zsh_quoted(option['value'])}:" + ("_files" if takes_path(option) else "")
            specs += [f"'{name}[{zsh_quoted(option['help'])}]{value}'" for name in option["names"]]
        if command["actions"]:
            specs.append(f"'1:action:({' '.join(command['actions'])})'")
        body = " \\\n                ".join(specs + ["'*:file:_files'"])
        cases += f"        {command['command']})\n            _arguments \\\n                {body} ;;\n"
    return f"""#compdef parley
# Completion of parley for zsh.
_parley() {{
    local -a commands
    commands=(
{names}
        '--help:print the commands'
        '--version:print the version'
    )
    if ((CURRENT == 2)); then
        _describe -t commands command commands
        return
    fi
    shift words
    ((CURRENT--))
    case $words[1] in
{cases}    esac
}}
_parley "$@"
"""


def fish_quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish(commands):
    lines = ["# Completion of parley for fish.", "complete -c parley -n __fish_use_subcommand -f",
             "complete -c parley -n __fish_use_subcommand -l help -d 'Print the commands'",
             "complete -c parley -n __fish_use_subcommand -l version -d 'Print the version'"]
    for command in commands:
        name = command["command"]
        lines.append(f"complete -c parley -n __fish_use_subcommand -a {name} "
                     f"-d {fish_quoted(command['summary'].rstrip('.'))}")
        for action in command["actions"]:
            lines.append(f"complete -c parley -n '__fish_seen_subcommand_from {name}' -a {action}")
        for option in command["options"]:
            words = [("-l " + word[2:]) if word.startswith("--") else ("-s " + word[1:])
                     for word in option["names"]]
            if words:
                value = " -r" + ("" if takes_path(option) else " -f") if option["value"] else ""
                lines.append(f"complete -c parley -n '__fish_seen_subcommand_from {name}' "
                             f"{' '.join(words)}{value} -d {fish_quoted(option['help'])}")
    return "\n".join(lines) + "\n"


def main():
    source, version, folder = sys.argv[1:4]
    commands = [json.loads(line) for line in pathlib.Path(source).read_text("utf-8").splitlines()
                if line.startswith("{")]
    if not commands:
        sys.exit(f"manual.py: {source} has no commands")
    to = pathlib.Path(folder)
    to.mkdir(parents=True, exist_ok=True)
    groups = grouped(commands)
    for name, text in (("parley.6", manual(commands, version)), ("parley.bash", bash(groups)),
                       ("_parley", zsh(groups)), ("parley.fish", fish(groups))):
        (to / name).write_text(text, "utf-8")


main()
