"""Azure wraps errors in errors; a person needs the one inside."""

import json

from hdictl.drivers.azure.error_body import every_error, innermost
from hdictl.plan.cloud import CloudError

_SCRIPT = {"code": "CustomizationFailedErrorCode", "message": "Script failed on wn0."}


def test_a_plain_error_is_itself():
    assert innermost({"error": {"code": "ScopeLocked", "message": "No.", "target": "vnet"}}) == CloudError(
        "ScopeLocked", "No.", "vnet"
    )


def test_details_are_followed_to_the_end():
    body = {
        "error": {
            "code": "DeploymentFailed",
            "message": "At least one resource deployment operation failed.",
            "details": [{"code": "Conflict", "message": "see details", "details": [_SCRIPT]}],
        }
    }

    assert innermost(body) == CloudError("CustomizationFailedErrorCode", "Script failed on wn0.")


def test_json_within_a_message_is_read():
    inner = json.dumps({"status": "Failed", "error": {"code": "ResourceDeploymentFailure", "details": [_SCRIPT]}})
    body = {
        "status": "Failed",
        "error": {"code": "DeploymentFailed", "details": [{"code": "Conflict", "message": inner}]},
    }

    assert innermost(body) == CloudError("CustomizationFailedErrorCode", "Script failed on wn0.")


def test_what_was_stopped_because_of_another_failure_explains_nothing():
    stopped = {"code": "DeploymentOperationCanceled", "message": "Cancelled."}
    body = {"error": {"code": "DeploymentFailed", "details": [stopped, _SCRIPT]}}

    assert innermost(body) == CloudError("CustomizationFailedErrorCode", "Script failed on wn0.")
    assert innermost({"error": stopped}) == CloudError("DeploymentOperationCanceled", "Cancelled.")


def test_every_error_is_told_once():
    other = {"code": "InvalidVirtualNetworkId", "message": "No such VNet."}
    body = {"error": {"code": "InvalidTemplateDeployment", "message": "…", "details": [_SCRIPT, other, _SCRIPT]}}

    assert [error.code for error in every_error(body)] == ["CustomizationFailedErrorCode", "InvalidVirtualNetworkId"]


def test_an_inner_error_without_words_does_not_hide_the_outer():
    body = {"error": {"code": "BadRequest", "message": "The request payload is invalid.", "innererror": {"code": "x"}}}

    assert innermost(body) == CloudError("BadRequest", "The request payload is invalid.")


def test_capital_keys_are_read():
    assert innermost({"Code": "QuotaExceeded", "Message": "cores"}) == CloudError("QuotaExceeded", "cores")


def test_what_is_no_error_is_none():
    for body in (None, "text", [], {}, {"status": "Succeeded"}, {"error": None}):
        assert innermost(body) is None
        assert every_error(body) == ()


def test_an_error_that_contains_itself_ends():
    body = {"code": "Loop", "message": "round"}
    body["details"] = [body]

    assert innermost(body) is not None
