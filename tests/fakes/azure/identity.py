"""Who one is and what one may: tokens of a managed identity, and role assignments that a test takes away.

The token endpoint speaks the protocol of App Service (azure-identity tries it before anything on the machine): GET with
`resource`, the header X-IDENTITY-HEADER, an answer with `access_token` and `expires_on`.
"""

from __future__ import annotations

import fnmatch
import re
import time
from dataclasses import dataclass, field

from tests.fakes.azure.messages import Answer, Refused, Request
from tests.fakes.azure.names import SUBSCRIPTION_ID, made_up_guid

PATH = "/msi/token"
HEADER = "fake-identity-header"
PRINCIPAL = made_up_guid("the caller")


@dataclass
class Identity:
    signs_in: bool = True
    denied: list[str] = field(default_factory=list)  # patterns of actions
    _tokens: dict[str, str] = field(default_factory=dict)  # token → resource
    expired: set[str] = field(default_factory=set)

    def token(self, request: Request) -> Answer:
        if request.headers.get("x-identity-header") != HEADER:
            return Answer(401, {"statusCode": 401, "message": "The identity header is wrong."})
        if not self.signs_in:
            return Answer(400, {"statusCode": 400, "message": "No Managed Identity found for specified ClientId."})
        resource = request.query.get("resource", "")
        token = f"fake-token-{len(self._tokens) + 1}"
        self._tokens[token] = resource
        expires = str(int(time.time()) + 3600)
        return Answer(
            200,
            {"access_token": token, "expires_on": expires, "resource": resource, "token_type": "Bearer"},
        )

    def resource_of(self, request: Request) -> str | None:
        """What the request's token was made for; None without a valid one."""
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        return self._tokens.get(token) if scheme.lower() == "bearer" and token not in self.expired else None

    def expire_tokens(self) -> None:
        self.expired.update(self._tokens)

    def authorize(self, request: Request) -> None:
        """Management requests: a token, and the right to do this."""
        if self.resource_of(request) is None:
            message = "The access token is missing, invalid or expired."
            raise Refused(401, "InvalidAuthenticationToken", message, headers={"WWW-Authenticate": "Bearer"})
        action = action_of(request)
        if any(fnmatch.fnmatch(action.lower(), pattern.lower()) for pattern in self.denied):
            raise Refused(
                403,
                "AuthorizationFailed",
                f"The client '{PRINCIPAL}' with object id '{PRINCIPAL}' does not have authorization to perform action "
                f"'{action}' over scope '{request.path}' or the scope is invalid. If access was recently granted, "
                "please refresh your credentials.",
            )
        subscription = re.match(r"/subscriptions/([^/]+)", request.path)
        if subscription is not None and subscription[1].lower() != SUBSCRIPTION_ID:
            message = f"The subscription '{subscription[1]}' could not be found."
            raise Refused(404, "SubscriptionNotFound", message)


_VERBS = {"GET": "read", "HEAD": "read", "PUT": "write", "PATCH": "write", "DELETE": "delete"}


def action_of(request: Request) -> str:
    """`Microsoft.HDInsight/clusters/write`, as a role definition would name it."""
    _, mark, rest = request.path.rstrip("/").rpartition("/providers/")
    if not mark:
        what = "resources" if request.path.lower().endswith("/resources") else "resourceGroups"
        return f"Microsoft.Resources/subscriptions/{what}/{_VERBS.get(request.method, 'action')}"
    namespace, *parts = rest.split("/")
    kinds = "/".join([namespace, *parts[0::2]])
    if request.method == "POST":
        # …/clusters/NAME/executeScriptActions: the last part is the action, whether a name precedes it or not
        named = parts if len(parts) % 2 else parts[:-1]
        return "/".join([namespace, *named[0::2], *([] if len(parts) % 2 else parts[-1:])]) + "/action"
    return f"{kinds}/{_VERBS[request.method]}"
