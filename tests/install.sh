#!/bin/sh
# What the tests need beyond Python packages: browsers, fonts with Chinese and Hindi letters, the programs of PostgreSQL
# and gettext. They are installed where the machine is Debian-like and we may; elsewhere one line says how to get them.
set -eu
missing=""
# Chromium without windows shows the same pages for a quarter of the processor time; where it is not, the whole one does.
command -v "${CHROMIUM:-chromium-headless-shell}" > /dev/null 2>&1 || missing="chromium-headless-shell"
only_faster() { [ "$missing" = "chromium-headless-shell" ] && command -v chromium > /dev/null; }
[ -e /usr/share/fonts/truetype/wqy/wqy-zenhei.ttc ] || missing="$missing fonts-wqy-zenhei"
# Without its letters Hindi is drawn as boxes, one for each sign, half as wide again: the header takes two rows then.
[ -e /usr/share/fonts/truetype/lohit-devanagari/Lohit-Devanagari.ttf ] || missing="$missing fonts-lohit-deva"
command -v initdb > /dev/null 2>&1 || ls /usr/lib/postgresql/*/bin/initdb > /dev/null 2>&1 || missing="$missing postgresql"
command -v xgettext > /dev/null 2>&1 || missing="$missing gettext"
# The two other browsers, without windows: the stock Firefox, and WebKit, which Safari is made of, on a screen of Xvfb.
command -v firefox-esr > /dev/null 2>&1 || command -v firefox > /dev/null 2>&1 || missing="$missing firefox-esr"
command -v WebKitWebDriver > /dev/null 2>&1 || missing="$missing webkit2gtk-driver"
command -v Xvfb > /dev/null 2>&1 || missing="$missing xvfb"
# Spark, which long tests alone ask.
[ "${1:-}" != long ] || command -v java > /dev/null 2>&1 || missing="$missing default-jre-headless"
[ -n "$missing" ] || exit 0

if [ "$(id -u)" != 0 ] || ! command -v apt-get > /dev/null 2>&1; then
    if only_faster; then
        exit 0
    elif command -v apt-get > /dev/null 2>&1; then
        echo "Some tests are skipped for want of programs; to have them: sudo apt-get install --no-install-recommends" $missing
    elif ! command -v "${CHROMIUM:-chromium}" > /dev/null 2>&1; then
        echo "Browser tests are skipped; to have them: install Chromium or Chrome and give its path, CHROMIUM=/path make test"
    fi
    exit 0
fi
echo "Installing for the tests:" $missing
export DEBIAN_FRONTEND=noninteractive
if ! { apt-get update -qq && apt-get install -qq -y --no-install-recommends $missing; } > /tmp/candor-apt.log 2>&1; then
    tail -5 /tmp/candor-apt.log
    echo "That did not succeed (all of it: /tmp/candor-apt.log); tests that need it are skipped."
    [ "${CI:-}" != true ] || only_faster
fi
