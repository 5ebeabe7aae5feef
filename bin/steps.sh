# Steps that the commands of bin/ share; sourced by them, at the top of the tree.

say() { printf '==> %s\n' "$*"; }

# step NAME SENTENCE COMMAND…: runs a command, after printing the sentence and the time that it took last. .build/times has a line for
# each name with its seconds; .build/processor-times has the seconds of processor time.
step() {
    local name="$1" start="$SECONDS" before
    say "$2$(last_time "$name")"
    shift 2
    before="$(used)"
    "$@"
    keep .build/times "$name" "$((SECONDS - start))"
    keep .build/processor-times "$name" "$(($(used) - before))"
}
keep() {
    { grep -v "^$2 " "$1" 2>/dev/null || true; echo "$2 $3"; } >"$1.$$"
    mv "$1.$$" "$1"
}
# The seconds of processor time of all commands that this shell has run to their end.
used() { awk '{ sub(/.*\) /, ""); print int(($14 + $15) / '"$(getconf CLK_TCK)"') }' "/proc/$$/stat" 2>/dev/null || echo 0; }
last_time() {
    local seconds
    seconds="$(sed -n "s/^$1 //p" .build/times 2>/dev/null || true)"
    case "$seconds" in
    '') ;;
    ? | ??) printf ' (%s s the last time)' "$seconds" ;;
    *) printf ' (%s min %s s the last time)' $((seconds / 60)) $((seconds % 60)) ;;
    esac
}

# Waits until no other command of this tree is between `take` and `give` of the same lock, and prints the reason. Commands that are
# started in between get `9>&-`: a service that goes on would keep the others waiting.
take() {
    mkdir -p .build
    exec 9>".build/$1.lock"
    lock -n || { say "Waiting: $2" && lock; }
}
give() { exec 9>&-; }
lock() {
    if command -v flock >/dev/null; then
        flock "$@" 9
    else
        perl -MFcntl=:flock -e 'exit !flock(STDIN, @ARGV ? LOCK_EX | LOCK_NB : LOCK_EX)' -- "$@" <&9
    fi
}

# build NAME PROGRAMS FLAGS…: builds, unless the programs exist and were built with these flags from the present sources.
# .build/NAME.sources has the list of those sources.
build() {
    local name="$1" programs="$2" kept=".build/$1.sources"
    shift 2
    take build "another command is building here"
    if is_built "$name" "$programs" "$@"; then
        say "Built already"
    else
        rm -f "$kept"
        sources "$@" >"$kept.new"
        step "build-$name" "Building" swift_build "$@"
        { cat "$kept.new" && resolved; } >"$kept"
        rm "$kept.new"
    fi
    give
}
is_built() {
    local kept=".build/$1.sources" programs="$2"
    shift 2
    are_older "$kept" $programs && { sources "$@" && resolved; } | cmp -s - "$kept"
}
sources() {
    printf '%s\n' "$PWD" "$*" "$(swift --version 2>&1)"
    {
        find Package.swift Sources Plugins Templates Languages Public Passwords sql/migrations -type f -print0
        find Tests -name '*.swift' -print0
    } | LC_ALL=C sort -z | xargs -0 cksum
    find Sources -type l -exec readlink {} +
}
# The versions of the packages, which the first build writes.
resolved() { cksum Package.resolved 2>&1; }
# A program that is newer was built by hand.
are_older() {
    local kept="$1" program
    shift
    for program in "$@"; do
        [ -e "$program" ] && [ "$kept" -nt "$program" ] || return 1
    done
}

# SwiftPM reads the manifests of all packages anew, for half a minute, whenever the environment has changed since the last time.
# So variables that differ from command to command are removed.
swift_build() {
    local name unset=(-u OLDPWD)
    for name in "${!PERENNIAL_@}"; do unset+=(-u "$name"); done
    env "${unset[@]}" swift build "$@" 9>&-
}

# The release is one file that needs no Swift beside it; macOS has the runtime in the system.
# It has no debug information, which is a quarter of the compiler's work, and is stripped from the deployed program anyway.
release="-c release -Xcc -g0 -Xswiftc -gnone"
[ "$(uname -s)" != Linux ] || release="$release --static-swift-stdlib"

# The build of the tests, the demo and the small bench. Package.swift optimises the parts that compute; signatures are C code.
# Debug information would take time to write and to link.
debug="-Xcc -O2 -Xcc -g0 -Xswiftc -gnone"

# Puts the demo's data where PostgreSQL can have it: it does not run as root, and the user that it runs as may not enter root's own
# directories.
demo_state() {
    if [ "$(id -u)" = 0 ] && [ -z "${PERENNIAL_STATE:-}${PERENNIAL_DATABASE_URL:-}" ] &&
        command -v runuser >/dev/null && ! runuser -u postgres -- test -x "$PWD"; then
        export PERENNIAL_STATE=/var/lib/perennial/demo
        mkdir -p "$PERENNIAL_STATE"
    fi
}
