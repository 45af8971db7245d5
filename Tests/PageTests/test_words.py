"""The page writes amounts and sentences as the program does: the examples of AmountTextTests and SentencePatternsTests."""

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# Reads calls of the page's functions, one a line, and writes their answers.
ENTRY = """
import { createInterface } from "node:readline";
import { exact, rounded, smallest, grouped } from "./Web/shared/money";
import { parts, plural } from "./Web/shared/patterns";
import { wordsOf } from "./Web/shared/words";
import english from "./Texts/en.json";
import korean from "./Texts/ko.json";
const units = { unit: (currency) => currency === "native" ? { symbol: "ETH", decimals: 18 } : undefined, name: (account) => account === "0xBB" ? "Bo" : undefined };
const words = { en: wordsOf("en", english, units), ko: wordsOf("ko", korean, units) };
const known = { exact, rounded, smallest, grouped, parts,
  plural: (forms, value, language) => plural(forms, value, new Intl.PluralRules(language)),
  said: (language, code, values) => words[language].said({ code, values, detail: "as the node wrote it" }),
  duration: (language, seconds) => words[language].duration(seconds) };
for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...given] = JSON.parse(line);
  console.log(JSON.stringify(known[name](...given)));
}
"""


@pytest.fixture(scope="module")
def ask(tmp_path_factory):
    """Calls a function of the page's sources."""
    folder = tmp_path_factory.mktemp("words")
    bundle = ["esbuild", "--bundle", "--platform=node", "--format=esm", "--jsx=automatic", f"--outfile={folder}/words.mjs",
              "--log-level=error"]
    subprocess.run(bundle, input=ENTRY, text=True, check=True, cwd=ROOT, env=os.environ | {"NODE_PATH": "/usr/share/nodejs"})
    node = subprocess.Popen(["node", f"{folder}/words.mjs"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def call(name, *given):
        node.stdin.write(json.dumps([name, *given]) + "\n")
        node.stdin.flush()
        return json.loads(node.stdout.readline())

    yield call
    node.stdin.close()
    node.wait()


AMOUNTS = [
    ("0", 18, "0"), ("500000000000000000", 18, "0.5"), ("12000000000000000000", 18, "12"),
    ("1", 18, "0.000000000000000001"), ("1234567", 18, "0.000000000001234567"), ("1250", 2, "12.5"), ("5", 2, "0.05"),
    ("123456789", 0, "123456789"), ("123456789", 2, "≈ 1234568"), ("100000001", 8, "≈ 1"),
    ("100000000123000000", 18, "≈ 0.1"), ("123456789012340000", 18, "≈ 0.1234568"), ("12345674", 8, "≈ 0.1234567"),
    ("12345675", 8, "≈ 0.1234568"), ("99999995", 8, "≈ 1"), ("99999994", 8, "≈ 0.9999999"), ("1999999950", 9, "≈ 2"),
    ("99999999999999999999", 18, "≈ 100"), ("123456789012345", 3, "≈ 123456789012"), ("000123456789", 9, "≈ 0.1234568"),
]


@pytest.mark.parametrize("amount, decimals, text", AMOUNTS)
def test_amounts_are_rounded_as_the_program_does(ask, amount, decimals, text):
    assert ask("rounded", amount, decimals) == text


@pytest.mark.parametrize("amount, up, down", [
    ("1000580644941190508", "≈ 1.000581", "≈ 1.00058"), ("20000000000000001", "≈ 0.02000001", "≈ 0.02"),
    ("8233333333333334", "≈ 0.008233334", "≈ 0.008233333"), ("999999999999999999", "≈ 1", "≈ 0.9999999"),
    ("500000000000000000", "0.5", "0.5"), ("1", "0.000000000000000001", "0.000000000000000001"), ("0", "0", "0"),
])
def test_a_paid_amount_is_rounded_up_and_a_gained_one_down(ask, amount, up, down):
    assert ask("rounded", amount, 18, "up") == up
    assert ask("rounded", amount, 18, "down") == down
    assert ask("rounded", amount, 18, "whole") == ask("exact", amount, 18)


@pytest.mark.parametrize("typed, decimals, amount", [
    ("0.5", 18, "500000000000000000"), (" 12 ", 18, "12000000000000000000"), (".5", 2, "50"), ("1.", 2, "100"),
    ("0.000000000000000001", 18, "1"), ("0.10", 1, "1"), ("0.05", 1, None), ("0,5", 18, None), ("", 18, None), (".", 18, None),
    ("-1", 18, None), ("1e3", 18, None), ("1 000", 18, None), ("0x10", 18, None), ("٣", 18, None),
])
def test_an_amount_that_is_typed_is_read_or_refused(ask, typed, decimals, amount):
    assert ask("smallest", typed, decimals) == amount


def test_long_whole_parts_are_grouped(ask):
    assert ask("grouped", "≈ 1234567.25", "en") == "≈ 1,234,567.25"
    assert ask("grouped", "1234.5", "ko") == "1234.5"
    assert ask("grouped", "0.00012345678", "en") == "0.00012345678"


@pytest.mark.parametrize("forms, value, text", [
    (" one {one day} other {# days}", "0", "0 days"), (" one {one day} other {# days}", "1", "one day"),
    (" one {one day} other {# days}", "21", "21 days"),
])
def test_plurals_follow_the_language(ask, forms, value, text):
    assert ask("plural", forms, value, "en") == text
    assert ask("plural", " other {#일}", value, "ko") == f"{value}일"


def test_a_pattern_that_does_not_end_is_only_text(ask):
    assert ask("parts", "{one {two}") == ["{one {two}"]
    assert ask("parts", "}{") == ["}{"]


@pytest.mark.parametrize("language, code, values, text", [
    ("en", "escrow.lost", {"amount": "1234567890123456789 native 1"}, "≈ 1.234568 ETH of what is locked is lost."),
    ("en", "escrow.lost", {"amount": "5 0xAA 1"}, "5 units of token 0xAA of what is locked is lost."),
    ("en", "escrow.lost", {"amount": "many"}, "many of what is locked is lost."),
    ("en", "standing.pieces", {"free": "2", "count": "{free} $&"}, "for sale, 2 of {free} $& left"),
    ("en", "signing.account", {"label": "role.buyer", "value": "0xBB"}, "buyer: Bo (0xBB)"),
    ("en", "signing.share", {"label": "role.king", "value": "3333"}, "role.king: 33.33 %"),
    ("ko", "role.buyer", {}, "구매자"),
    ("en", "escrow.newer", {"a": "1"}, "as the node wrote it"),
    ("en", "constructor", {}, "as the node wrote it"),
])
def test_sentences_have_their_values_which_are_only_text(ask, language, code, values, text):
    assert ask("said", language, code, values) == text


def test_durations_have_the_largest_unit_that_divides_them(ask):
    assert [ask("duration", "en", seconds) for seconds in (259200, 3600, 0, 90)] == [
        "3 days", "one hour", "0 seconds", "90 seconds"]
