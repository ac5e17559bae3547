"""Where the API is, and through which proxy it is reached."""

import base64
import re
from dataclasses import dataclass, field
from typing import Optional
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass


@dataclass(frozen=True)
class Address:
    """The address of the API."""

    tls: bool
    host: str
    port: int
    authority: str
    """Host and port, as they were written."""
    path: str
    """What comes before the path of each request."""


@dataclass(frozen=True)
class Proxy:
    """A proxy of HTTP."""

    host: str
    port: int
    credentials: Optional[str] = field(default=None, repr=False)

    def fields(self) -> dict[str, str]:
        """What it is told in the header of a request."""
        return {"Proxy-Authorization": f"Basic {self.credentials}"} if self.credentials else {}


def address_of(base_url: str) -> Address:
    """Raises a ValueError for what is no address of an API."""
    if not isinstance(base_url, str):
        raise TypeError("base_url must be a str.")
    # urlsplit drops line ends.
    if not re.fullmatch("https?://[\x21-\x7e]+", base_url):
        raise ValueError("base_url must be an http or https address.")
    parts = urlsplit(base_url)
    try:
        host, port = parts.hostname or "", parts.port
        host.encode("idna")
    except ValueError:
        host, port = "", None
    if not host or "@" in parts.netloc or "?" in base_url or "#" in base_url:
        raise ValueError("base_url must be an http or https address, without user, query and fragment.")
    tls = parts.scheme == "https"
    return Address(tls, host, port or (443 if tls else 80), parts.netloc, parts.path.rstrip("/"))


def proxy_of(address: Address) -> Optional[Proxy]:
    """What HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY say of an address."""
    proxies = getproxies()
    found = proxies.get("https" if address.tls else "http") or proxies.get("all")
    if not found or proxy_bypass(f"{address.host}:{address.port}"):
        return None
    parts = urlsplit(found if "://" in found else "http://" + found)
    if parts.scheme != "http" or not parts.hostname:
        raise ValueError("Only proxies whose address is http://… can be used; NO_PROXY has exceptions.")
    credentials = None
    if parts.username is not None:
        user = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        credentials = base64.b64encode(user.encode()).decode()
    return Proxy(parts.hostname, parts.port or 1080, credentials)
