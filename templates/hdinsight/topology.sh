#!/bin/bash
# Prints the fault and update domains of a cluster's workers. HDInsight keeps them in a document that only nodes can
# read. Runs on a head node: over SSH, or as a script action. Changes nothing.
#
# The document's address carries a key, and HDInsight's own library logs what it does: so all that is printed is one
# line of ours, either <hdictl-topology>BASE64</hdictl-topology> or <hdictl-topology-failure>…</…>.

# Python 2.7 and 3: which of them a node has, and which has HDInsight's library, differs between images.
program=$(cat <<'PYTHON'
import base64, json, os, sys

OUT = 3
FIELDS = ("fqdn", "faultDomain", "updateDomain")


def tell(mark, text):
    os.write(OUT, ("<%s>%s</%s>\n" % (mark, text, mark)).encode("ascii", "replace"))


def opened(address):
    try:
        from urllib.request import urlopen
    except ImportError:
        from urllib2 import urlopen
    return urlopen(address, timeout=30)


step = "ask the cluster's manifest"
try:
    from hdinsight_common.AmbariHelper import AmbariHelper

    address = AmbariHelper().get_cluster_manifest().settings["cluster_topology_json_url"]
    step = "fetch the topology document"
    document = json.loads(opened(address).read().decode("utf-8"))
    step = "find the workers in the topology document"
    workers = [dict((key, node.get(key)) for key in FIELDS) for node in document["hostGroups"]["workernode"]]
except Exception as error:
    # Its own words may carry the address; what kind it is cannot.
    code = getattr(error, "code", None)
    tell("hdictl-topology-failure", "cannot %s (%s%s)" % (step, type(error).__name__, " %s" % code if code else ""))
    sys.exit(1)
text = json.dumps({"hostGroups": {"workernode": workers}}, sort_keys=True)
tell("hdictl-topology", base64.b64encode(text.encode("utf-8")).decode("ascii"))
PYTHON
)

for python in python3 python python2 /usr/bin/anaconda/bin/python /usr/bin/anaconda/envs/*/bin/python; do
  if "$python" -c 'import hdinsight_common.AmbariHelper' >/dev/null 2>&1 </dev/null; then
    exec "$python" -c "$program" 3>&1 >/dev/null 2>&1 </dev/null
  fi
done
echo "<hdictl-topology-failure>no Python of this node has HDInsight's library (hdinsight_common)</hdictl-topology-failure>"
exit 1
