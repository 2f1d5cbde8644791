#!/bin/sh
# Writes the settings it was given and becomes the Java process, so that signals and the exit code are Java's own.
#   SETTINGS       a properties file's text
#   JAVA_OPTIONS   heap and such
#   arguments      the class to run
set -eu

archive=/opt/kafka/archive/classes.jsa
[ ! -f "$archive" ] || shared="-XX:SharedArchiveFile=$archive"

settings=$(mktemp)
printf '%s\n' "$SETTINGS" >"$settings"

# glibc keeps a pool of memory per core and thread; two are plenty, and save 20 MB a process.
export MALLOC_ARENA_MAX=2

# Sorted by the shell: a class archive holds for one order of the class path only.
# shellcheck disable=SC2086 # options are words
exec java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData -Xss512k -Xms16m -XX:+ExitOnOutOfMemoryError \
    ${shared:-} ${JAVA_OPTIONS:-} \
    -Dlog4j.configuration=file:/opt/kafka/log4j.properties \
    -cp "$(printf '%s:' /opt/kafka/jars/*.jar)" "$@" "$settings"
