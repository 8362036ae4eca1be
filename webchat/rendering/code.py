"""Blocks of code: the language's name, and spans around keywords, strings, numbers, comments and names.

One expression for each family of languages. Each alternative consumes what it has looked at, so that hostile text takes
no longer than other text. Path not taken: Pygments, which needs up to 1.4 s for 5 kB of such text.
"""

import html

import regex

MOST = 10_000  # characters; longer code is plain

_WORDS = """
    abstract and as assert async await begin bool boolean break case catch char class const continue def default
    defer del delete do done double echo elif else elsif end enum esac except export extends extern false False
    fi final finally float fn for foreach from func function global if impl implements import in include
    instanceof int interface is lambda let local long loop match mod module mut namespace new nil None not null
    nullptr of or override package pass private protected pub public raise readonly require return self set
    short static string struct super switch then this throw throws trait true True try type typeof unless use
    using val var virtual void when where while with yield
"""
_SQL = """
    add alter and as asc between by case count create delete desc distinct drop else end exists from full group
    having in index inner insert into is join key left like limit not null offset on or order outer primary
    references right select set table then union unique update values when where with
"""


def _keywords(words: str) -> str:
    return rf"(?P<k>(?<![\w$.-])(?:{'|'.join(words.split())})(?![\w-]))"


_STRING = r"""(?P<s>"(?:[^"\\\n]|\\.)*+"?|(?<!\w)'(?:[^'\\\n]|\\.)*+'?|`(?:[^`\\]|\\.)*+`?)"""
_LONG_STRING = r'(?P<s>"{3}(?s:.)*?(?:"{3}|\Z)' + r"|'{3}(?s:.)*?(?:'{3}|\Z))"
_NUMBER = r"(?P<m>(?<![\w.#-])\d[\w.]*+)"
_CALL = r"(?P<n>\b[^\W\d]\w*+(?=\())"
_HASH = r"(?P<c>(?<!\S)#.*+)"
_BLOCK = r"(?P<c>/\*(?s:.)*?(?:\*/|\Z))"
_SLASHES = rf"{_BLOCK}|(?P<c>(?<!:)//.*+)"
_REST = f"{_STRING}|{_NUMBER}|{_keywords(_WORDS)}|{_CALL}"

_FAMILIES = {
    "hash": f"{_HASH}|{_LONG_STRING}|{_REST}",
    "slashes": f"{_SLASHES}|{_REST}",
    "both": f"{_SLASHES}|{_HASH}|{_REST}",
    "dashes": rf"(?P<c>--.*+)|{_BLOCK}|{_STRING}|{_NUMBER}|(?i:{_keywords(_SQL)})|{_CALL}",
    "styles": rf"{_BLOCK}|{_STRING}|(?P<m>(?<![\w-])#?\d[\w.%]*+)|(?P<n>(?<=[\s{{;])[\w-]++(?=:\s))|(?P<k>@[\w-]++)",
    "markup": r"(?P<c><!--(?s:.)*?(?:-->|\Z))|(?P<k></?[\w:.-]++)|(?P<n>(?<=\s)[\w:.-]++(?==))"
    r"""|(?P<s>(?<==)(?:"[^"]*+"?|'[^']*+'?))""",
    "data": rf"{_HASH}|(?P<n>^[ \t-]*+[\w.-]++(?=[ \t]*+[:=])|\"[^\"\n]*+\"(?=\s*+:))|{_STRING}|{_NUMBER}"
    rf"|{_keywords('true false null')}",
    "changes": r"(?P<s>^\+.*+)|(?P<k>^-.*+)|(?P<c>^@@.*+)",
}
_SPANS = {family: regex.compile(f"(?m){pattern}") for family, pattern in _FAMILIES.items()}

_NAMES = {
    "hash": "Bash=bash,sh,shell,zsh,console Dockerfile=dockerfile,docker Elixir=elixir Makefile=makefile,make "
    "Perl=perl PowerShell=powershell,ps1 Python=python,py R=r Ruby=ruby,rb nginx=nginx",
    "slashes": "C=c,h C++=cpp,c++ C#=csharp,cs,c# Dart=dart Go=go,golang Java=java JavaScript=javascript,js,jsx,mjs "
    "Kotlin=kotlin,kt Rust=rust,rs Scala=scala Swift=swift TypeScript=typescript,ts,tsx",
    "both": "PHP=php",
    "dashes": "SQL=sql,mysql,postgresql,sqlite Lua=lua",
    "styles": "CSS=css,scss,less",
    "markup": "HTML=html,htm Vue=vue XML=xml,svg",
    "data": "JSON=json,json5,jsonc YAML=yaml,yml TOML=toml INI=ini,env,dotenv",
    "changes": "Diff=diff,patch",
}
_LANGUAGES = {
    alias: (name, family)
    for family, names in _NAMES.items()
    for name, aliases in (each.split("=") for each in names.split())
    for alias in aliases.split(",")
}
_NAME = regex.compile(r"[\w+#.-]{1,20}")


def figure(source: str, info: str) -> str:
    """Return the block of code. `info` is what follows the fence; its first word names the language."""
    word = info.split()[0] if info.strip() else ""
    name, family = _LANGUAGES.get(word.lower(), (word if _NAME.fullmatch(word) else "", ""))
    code = _highlighted(source, family) if family and len(source) <= MOST else html.escape(source)
    return f"<figure><figcaption>{html.escape(name)}</figcaption><pre><code>{code}</code></pre></figure>\n"


def _highlighted(source: str, family: str) -> str:
    parts = []
    end = 0
    for match in _SPANS[family].finditer(source):
        parts += [
            html.escape(source[end : match.start()]),
            f'<span class="{match.lastgroup}">{html.escape(match[0])}</span>',
        ]
        end = match.end()
    return "".join([*parts, html.escape(source[end:])])
