# begin hdictl advertise-ip
# The broker tells clients its address instead of its name, which networks elsewhere do not know.
# Ambari reads this file as a template of its own: no two braces in a row.
hdictl_file=/usr/hdp/current/kafka-broker/conf/server.properties
if [ -w "$hdictl_file" ]; then
  hdictl_address=$(hostname -i | tr ' ' '\n' | grep -E '^[0-9.]+$' | grep -v '^127\.' | head -n 1)
  hdictl_port=$(sed -n 's|^listeners=PLAINTEXT://[^:]*:\([0-9]*\)$|\1|p' "$hdictl_file" | head -n 1)
  if [ -n "$hdictl_address" ]; then
    sed -i -e '/^advertised\.\(listeners\|host\.name\|port\)=/d' -e '$a\' "$hdictl_file"
    echo "advertised.listeners=PLAINTEXT://$hdictl_address:${hdictl_port:-9092}" >> "$hdictl_file"
  else
    echo "hdictl: this node has no address but loopback; its name is advertised" >&2
  fi
fi
unset hdictl_file hdictl_address hdictl_port
# end hdictl advertise-ip
