#!/usr/bin/env bash
# Installs the wheel in dist/ into an empty environment and lets it serve a whole game.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
place=$(mktemp -d)
server=
tidy() {
  local status=$?
  [ -z "$server" ] || kill "$server" || true
  if [ $status -ne 0 ] && [ -s "$place/log" ]; then
    echo "It did not work. The server said:" >&2
    cat "$place/log" >&2
  fi
  rm -rf "$place"
}
trap tidy EXIT
"$python" -m venv "$place/venv"
cd dist
wheels=(*.whl)
[ ${#wheels[@]} -eq 1 ] || { echo "dist/ should have one wheel: ${wheels[*]}" >&2; exit 1; }
wheel=$PWD/${wheels[0]}
cd "$place"
# Nothing but the environment is on the path (no Node.js, no compiler), and no setting of ours gets in: only how pip
# comes by packages
kept=()
for name in $(compgen -e); do
  case $name in
    PIP_* | *_proxy | *_PROXY | SSL_CERT_* | REQUESTS_CA_BUNDLE | TMPDIR | LANG) kept+=("$name=${!name}") ;;
  esac
done
alone=(env -i PATH="$place/venv/bin" HOME="$place" "${kept[@]}")
"${alone[@]}" pip install --quiet --disable-pip-version-check --only-binary :all: "$wheel"
version=$("${alone[@]}" varv --version)
echo "$version"
case ${wheel##*/} in varv-"${version#varv }"-*) ;; *) echo "${wheel##*/} says it is $version" >&2; exit 1 ;; esac
PORT=$("${alone[@]}" python -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
"${alone[@]}" varv serve --port "$PORT" --data "$place/data" >"$place/log" 2>&1 &
server=$!
"${alone[@]}" PORT="$PORT" python - <<'PYTHON'
"""One cycle of three: two bots of the server, and this script through the public protocol."""

import os
import time

import httpx

api = httpx.Client(base_url=f"http://127.0.0.1:{os.environ['PORT']}", timeout=20)
deadline = time.monotonic() + 30
while True:
    try:
        api.get("/readyz").raise_for_status()
        break
    except httpx.HTTPError:
        if time.monotonic() > deadline:
            raise
        time.sleep(0.1)
assert "<script" in api.get("/").text, "the client is not in the wheel"
game = api.post("/api/v1/games", json={"edition": "oracle", "mix": "demo", "name": "Maja"}).json()
base, me = f"/api/v1/games/{game['code']}", {"Authorization": f"Bearer {game['token']}"}
sent = 0


def state():
    return api.get(f"{base}/state", headers=me).raise_for_status().json()


def send(**command):
    global sent
    sent += 1
    body = {"id": f"try-{sent}", "command": command}
    api.post(f"{base}/commands", json=body, headers=me).raise_for_status()


api.post(f"{base}/bots", json={"count": 2}, headers=me).raise_for_status()
send(type="set_start_year", year=1990)
finished = False
deadline = time.monotonic() + 120
while not finished:
    assert time.monotonic() < deadline, "the game does not move on"
    view = state()
    snapshot, viewer = view["snapshot"], view["viewer"]
    round_ = snapshot["round"] or {}
    about = {"round": round_.get("number"), "performance": round_.get("performance")}
    actions = viewer["actions"]
    waiting = {p for p, parts in round_.get("submitted", {}).items() if len(parts) < 3}
    if snapshot["state"] == "FINISHED":
        finished = True
    elif "start_game" in actions:
        send(type="start_game")
    elif (snapshot["cycle"] or {}).get("state") == "BOUNDARY_DECISION":
        send(type="finish_game")
    elif "start_round" in actions:
        send(type="start_round", round=about["round"])
    elif "predict" in actions and viewer["prediction"] is None:
        send(type="predict", difficulty="medium", **about)
    elif "guess" in actions and (part := next((p for p, c in viewer["guess"].items() if c is None), None)):
        choice = 0 if part == "placement" else viewer["options"][part][0]["id"]
        send(type="guess", part=part, choice=choice, **about)
    elif "lock_round" in actions and not waiting:
        send(type="lock_round", **about)
    elif "reveal" in actions:
        send(type="reveal", round=about["round"], to="REVEALED")
    elif "next_round" in actions:
        send(type="next_round", round=about["round"])
    else:
        time.sleep(0.2)
ranking = state()["snapshot"]["ranking"]
assert len(ranking) == 3, ranking
print(f"a whole game in {sent} commands, ranking {[row['player'] for row in ranking]}")
PYTHON
