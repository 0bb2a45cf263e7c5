"""What all objects of this room have in common."""

API_VERSION = "resource.k8s.io/v1"
"""Of DeviceClass, ResourceClaim, ResourceClaimTemplate and ResourceSlice; the betas are not served any more."""

CLASS_LABEL = "tessera.dev/class"
"""Label that names the service class an object belongs to."""
