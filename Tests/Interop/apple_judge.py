"""Apple's own verifier, from the PyPI package app-store-server-library, as an independent judge of signed payloads."""

import base64
import json

from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException


class Judge:
    """Verifies an app's payloads with strict checks on, without the network."""

    def __init__(self, root_der, bundle_id, app_apple_id):
        self.by_environment = {
            "Production": SignedDataVerifier([root_der], False, Environment.PRODUCTION, bundle_id, app_apple_id),
            "Sandbox": SignedDataVerifier([root_der], False, Environment.SANDBOX, bundle_id),
        }

    def verdict(self, signed_payload):
        """Returns ("accept", None) or ("reject", status) for the notification and every token within it."""
        verifier = self.by_environment["Sandbox" if claims(signed_payload) == "Sandbox" else "Production"]
        try:
            notification = verifier.verify_and_decode_notification(signed_payload)
            if notification.data is not None:
                if notification.data.signedTransactionInfo is not None:
                    verifier.verify_and_decode_signed_transaction(notification.data.signedTransactionInfo)
                if notification.data.signedRenewalInfo is not None:
                    verifier.verify_and_decode_renewal_info(notification.data.signedRenewalInfo)
        except VerificationException as error:
            return "reject", error.status.name
        return "accept", None


def claims(signed_payload):
    """Returns the environment that an unverified payload claims; None if it cannot be read."""
    try:
        text = signed_payload.split(".")[1]
        payload = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        for body in ("data", "summary", "appData"):
            if payload.get(body):
                return payload[body].get("environment")
        token = payload.get("externalPurchaseToken")
        if token:
            return "Sandbox" if token.get("externalPurchaseId", "").startswith("SANDBOX") else "Production"
    except (AttributeError, IndexError, ValueError):
        pass
    return None
