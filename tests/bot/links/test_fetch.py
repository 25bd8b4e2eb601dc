"""The fetch over real sockets: what it reaches, what it never reaches, how each failure ends."""

from __future__ import annotations

import asyncio
import datetime as dt
import gzip
import socket
import ssl
import time
import zlib
from collections.abc import Coroutine
from ipaddress import ip_network
from pathlib import Path
from typing import Any, TypeVar

import pytest
from aiohttp import web
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from bot.links.checking import check_html
from bot.links.connecting import Guard, RefusedAddressError
from bot.links.fetch import Fetcher, Page
from bot.links.policy import FetchError, FetchPolicy
from tests.bot.links.servers import Dns, Site, html, raw, site

T = TypeVar("T")
PUBLIC = "93.184.215.14"  # a public address of nobody in these tests: it is never connected to


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end, in a time that no test needs."""
    return asyncio.run(asyncio.wait_for(work, 20))


async def reason(fetcher: Fetcher, url: str, **how: Any) -> str:
    """Why a page was not read; "" where it was."""
    try:
        await fetcher.fetch(url, **how)
    except FetchError as error:
        return error.reason
    return ""


def name_for(address: str) -> Dns:
    return Dns(blog_example=[[address]])


PRIVATE = (
    "127.0.0.1",
    "127.8.8.8",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.9",
    "192.168.1.1",
    "100.64.0.1",
    "100.100.100.200",
    "169.254.169.254",
    "168.63.129.16",
    "192.0.0.192",
    "198.18.0.1",
    "192.88.99.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "fd00:ec2::254",
    "fec0::1",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::a00:1",
    "2002:7f00:1::",
    "2001:0:7f00:1::",
    "2001:db8::1",
)


@pytest.mark.parametrize("address", PRIVATE)
def test_no_private_address_is_public(address: str) -> None:
    assert not FetchPolicy().admits(address)


@pytest.mark.parametrize("address", [PUBLIC, "8.8.8.8", "2606:4700::1111", "2a00:1450:4001::200e"])
def test_a_public_address_is(address: str) -> None:
    assert FetchPolicy().admits(address)


@pytest.mark.parametrize("address", PRIVATE)
def test_a_name_of_a_private_address_is_not_connected_to(address: str) -> None:
    fetcher = Fetcher(FetchPolicy(resolver=name_for(address.partition("%")[0]), total=2))
    assert run(reason(fetcher, "https://blog.example/post")) == "private_address"


@pytest.mark.parametrize(
    "url",
    [
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://[::ffff:127.0.0.1]/",
        "https://[64:ff9b::7f00:1]/",
        "https://169.254.169.254/latest/meta-data/",
        "https://2130706433/",
        "https://0x7f000001/",
        "https://0x7f.0.0.1/",
        "https://0177.0.0.1/",
        "https://127.1/",
        "https://127.0.0.1./",
        "https://localhost/",
        "https://localhost./",
        "https://LOCALHOST/",
        "https://foo.localhost/",
        "https://metadata.google.internal/",
        "https://printer.local/",
        "https://intranet/",
        "https://①②⑦.⓪.⓪.①/",
        f"https://{PUBLIC}/",
        "https://developer.nvidia.com@127.0.0.1/",
        "https://user:secret@blog.example/",
        "https://blog.example:8443/",
        "https://blog.example:22/",
        "ftp://blog.example/",
        "file:///etc/passwd",
        "gopher://127.0.0.1:70/",
        "https://blog.example\\@127.0.0.1/",
        "https://127.0.0.1#@blog.example/",
        "https:///post",
        "nonsense",
        "https://blog.example:99999/",
    ],
)
def test_an_address_is_refused_by_what_it_says(url: str) -> None:
    dns = Dns(blog_example=[["127.0.0.1"]], localhost=[["127.0.0.1"]])
    fetcher = Fetcher(FetchPolicy(resolver=dns, total=2))
    assert run(reason(fetcher, url)) in (
        "private_address",
        "host",
        "userinfo",
        "port",
        "scheme",
        "not_a_link",
    )
    assert dns.asked == []


def test_a_name_that_is_private_among_public_addresses_is_refused() -> None:
    fetcher = Fetcher(FetchPolicy(resolver=Dns(blog_example=[[PUBLIC, "10.0.0.1"]]), total=2))
    assert run(reason(fetcher, "https://blog.example/")) == "private_address"


def test_a_name_that_turns_private_between_two_questions_is_refused() -> None:
    """The answer that was checked is the one that is connected to; the next one is checked again."""

    async def rebinding() -> None:
        async def page(request: web.Request) -> web.StreamResponse:
            return html("x")

        async with site(page) as here:
            public_once = Dns(blog_example=[["127.0.0.1"], ["127.0.0.2"]])
            only_one = here.policy(public_once, admitted=(ip_network("127.0.0.1/32"),))
            # robots.txt is answered by the admitted address, the page's own look-up by another one
            assert await reason(Fetcher(only_one), here.url("/a", "blog.example")) == "private_address"
            assert here.pages == []

    run(rebinding())


def test_what_a_resolver_does_not_see_is_checked_at_the_socket() -> None:
    """A resolver that lies about the address it was checked for cannot make a socket."""
    guard = Guard(FetchPolicy(resolver=Dns()))
    with pytest.raises(RefusedAddressError):
        guard.socket((socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.0.0.1", 443)))
    assert guard.refused
    made = guard.socket((socket.AF_INET, socket.SOCK_STREAM, 6, "", (PUBLIC, 443)))
    made.close()


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("http://10.0.0.1/", "private_address"),
        ("http://169.254.169.254/latest/", "private_address"),
        ("http://inner.example:{port}/", "private_address"),
        ("http://2130706433/", "host"),
        ("http://user@site.example:{port}/", "userinfo"),
        ("http://site.example:1/", "port"),
        ("ftp://site.example/", "scheme"),
        ("file:///etc/passwd", "scheme"),
        ("javascript:alert(1)", "scheme"),
        ("http://site.example:{port}/login?next=/a", "login"),
        ("http://site.example:{port}/post?preview_id=7", "login"),
        ("http://login.example:{port}/", "login"),
        ("http://[bad", "not_a_link"),
    ],
)
def test_each_redirect_is_checked_like_the_first_address(target: str, expected: str) -> None:
    async def redirected() -> None:
        async def page(request: web.Request) -> web.StreamResponse:
            return web.Response(status=302, headers={"Location": target.format(port=request.url.port)})

        async with site(page) as here:
            dns = Dns(site_example=[["127.0.0.1"]], inner_example=[["192.168.0.7"]])
            policy = here.policy(dns, ports=frozenset((here.port, 80)))
            assert await reason(Fetcher(policy), here.url("/a")) == expected
            assert here.pages == ["/a"]

    run(redirected())


def test_a_page_is_read_and_what_is_sent_is_honest() -> None:
    async def read() -> None:
        seen: dict[str, str] = {}

        async def page(request: web.Request) -> web.StreamResponse:
            seen.update(request.headers)
            if request.path == "/old":
                raise web.HTTPMovedPermanently("/new?id=7&utm_source=x")
            return html("hi", ETag='"1"', **{"Set-Cookie": "a=b"})

        async with site(page) as here:
            fetcher = Fetcher(here.policy())
            found = await fetcher.fetch(here.url("/old?id=7&utm_medium=y"), query=("id",))
            assert isinstance(found, Page)
            assert found.url == here.url("/new?id=7")
            assert b"hi" in (found.html or b"")
            assert found.etag == '"1"'
            assert here.pages == ["/old?id=7", "/new?id=7"]
            assert seen["User-Agent"].startswith("Smallprint/")
            assert "Cookie" not in seen

    run(read())


def test_no_proxy_is_taken_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")

    async def read() -> str:
        async def page(request: web.Request) -> web.StreamResponse:
            return html("hi")

        async with site(page) as here:
            return await reason(Fetcher(here.policy()), here.url("/a"))

    assert run(read()) == ""


def test_a_proxy_that_is_set_is_asked() -> None:
    async def read() -> list[str]:
        async def proxy(request: web.Request) -> web.StreamResponse:
            return html("by proxy")

        async with site(proxy) as here:
            policy = here.policy(proxy=f"http://127.0.0.1:{here.port}", ports=frozenset((80,)))
            found = await Fetcher(policy).fetch("http://far.example/post")
            assert b"by proxy" in (found.html or b"")
            return here.asked

    assert run(read())[-1].endswith("/post")


def test_a_page_that_has_not_changed_is_not_sent_again() -> None:
    async def twice() -> Page:
        async def page(request: web.Request) -> web.StreamResponse:
            assert request.headers["If-None-Match"] == '"1"'
            return web.Response(status=304, headers={"ETag": '"1"'})

        async with site(page) as here:
            return await Fetcher(here.policy()).fetch(here.url("/a"), etag='"1"')

    assert run(twice()).html is None


async def _slow_loris(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n")
    for _ in range(200):
        writer.write(b"X-A: b\r\n")
        await writer.drain()
        await asyncio.sleep(0.05)


async def _silent(writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(5)


async def _endless(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
    while True:
        writer.write(b"<p>more</p>" * 5_000)
        await writer.drain()


async def _bomb(writer: asyncio.StreamWriter) -> None:
    packed = gzip.compress(b"\0" * 60_000_000)
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n" + packed)
    await writer.drain()


async def _promise(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 999999999\r\n\r\n<p>")
    await writer.drain()
    await asyncio.sleep(5)


async def _half(writer: asyncio.StreamWriter) -> None:
    packed = gzip.compress(b"<p>" * 10_000)[:20]
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n" + packed)
    await writer.drain()


async def _brotli(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: br\r\n\r\nxx")
    await writer.drain()


async def _pdf(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\nContent-Length: 4\r\n\r\n%PDF")
    await writer.drain()


async def _no_type(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabcd")
    await writer.drain()


async def _garbage(writer: asyncio.StreamWriter) -> None:
    writer.write(b"\x00\x01SSH-2.0-nothing\r\n\r\n")
    await writer.drain()


async def _hang_up(writer: asyncio.StreamWriter) -> None:
    writer.close()


async def _many_heads(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\n" + b"".join(b"X-%d: y\r\n" % n for n in range(50_000)) + b"\r\n")
    await writer.drain()


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (_slow_loris, "timeout"),
        (_silent, "timeout"),
        (_endless, "too_large"),
        (_bomb, "too_large"),
        (_promise, "too_large"),
        (_half, "encoding"),
        (_brotli, "encoding"),
        (_pdf, "not_html"),
        (_no_type, "not_html"),
        (_garbage, "server"),
        (_hang_up, "unreachable"),
        (_many_heads, "server"),
    ],
)
def test_a_bad_server_ends_in_time_with_a_reason_and_one_request(answer: Any, expected: str) -> None:
    async def asked() -> tuple[str, Site]:
        async with raw(answer) as here:
            policy = here.policy(total=0.7, robots=False)
            return await reason(Fetcher(policy), here.url("/a")), here

    start = time.perf_counter()
    found, here = run(asked())
    assert found == expected
    assert time.perf_counter() - start < 3
    assert len(here.asked) == 1


@pytest.mark.parametrize(
    ("status", "expected"),
    [(401, "login"), (403, "forbidden"), (404, "gone"), (410, "gone"), (429, "server"), (500, "server")],
)
def test_a_refusal_has_its_reason_and_is_not_tried_again(status: int, expected: str) -> None:
    async def asked() -> list[str]:
        async def page(request: web.Request) -> web.StreamResponse:
            return web.Response(status=status, text="no", content_type="text/html")

        async with site(page) as here:
            assert await reason(Fetcher(here.policy()), here.url("/a")) == expected
            return here.pages

    assert run(asked()) == ["/a"]


def test_redirects_end() -> None:
    async def asked() -> None:
        async def page(request: web.Request) -> web.StreamResponse:
            if request.path.startswith("/loop"):
                other = "/loop1" if request.path == "/loop2" else "/loop2"
                raise web.HTTPFound(other)
            raise web.HTTPFound(f"/chain{int(request.path[6:]) + 1}")

        async with site(page) as here:
            fetcher = Fetcher(here.policy())
            assert await reason(fetcher, here.url("/loop1")) == "redirect_loop"
            assert await reason(fetcher, here.url("/chain0")) == "too_many_redirects"
            assert here.pages == ["/loop1", "/loop2", "/chain0", "/chain1", "/chain2", "/chain3"]

    run(asked())


def test_a_name_that_nobody_knows_and_a_port_where_nobody_listens() -> None:
    async def asked() -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            here = Site(taken.getsockname()[1])
            assert await reason(Fetcher(here.policy()), here.url("/a")) == "unreachable"
            assert await reason(Fetcher(here.policy()), here.url("/a", "gone.example")) == "dns"

    run(asked())


@pytest.mark.parametrize(
    ("content_type", "charset"),
    [("text/html; charset=klingon", "klingon"), ("text/html; charset=utf-16", "utf-16"), ("text/html", None)],
)
def test_a_wrong_charset_is_no_obstacle(content_type: str, charset: str | None) -> None:
    async def asked() -> Page:
        async def page(request: web.Request) -> web.StreamResponse:
            body = "<p>MLPerf® Inference v6.1: 8 B300 GPUs are über 3,0x faster than H200.</p>".encode()
            return web.Response(body=body, headers={"Content-Type": content_type})

        async with site(page) as here:
            return await Fetcher(here.policy()).fetch(here.url("/a"))

    found = run(asked())
    assert found.charset == charset
    assert "MLPerf® Inference v6.1" in check_html(found.html or b"", charset=found.charset).text


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate for site.example that nobody has signed."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "site.example")])
    now = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("site.example")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    folder = tmp_path_factory.mktemp("tls")
    (folder / "cert.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    return folder / "cert.pem", folder / "key.pem"


def test_a_certificate_is_checked_for_its_signer_and_its_name(certificate: tuple[Path, Path]) -> None:
    cert, key = certificate
    serving = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    serving.load_cert_chain(cert, key)
    trusting = ssl.create_default_context(cafile=str(cert))

    async def asked() -> None:
        async def answer(request: web.BaseRequest) -> web.StreamResponse:
            return html("tls") if request.path != "/robots.txt" else web.Response(status=404)

        runner = web.ServerRunner(web.Server(answer), shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=serving).start()
        here = Site(runner.addresses[0][1])
        dns = Dns(site_example=[["127.0.0.1"]], other_example=[["127.0.0.1"]])
        url = f"https://site.example:{here.port}/a"
        try:
            assert await reason(Fetcher(here.policy(dns, plain=False)), url) == "tls"
            trusted = Fetcher(here.policy(dns, plain=False, trusted=trusting))
            assert await reason(trusted, url) == ""
            assert await reason(trusted, url.replace("site.", "other.")) == "tls"
        finally:
            await runner.cleanup()

    run(asked())


def test_a_page_without_encryption_is_read_only_where_it_leads_to_one_with() -> None:
    async def asked() -> None:
        async def page(request: web.Request) -> web.StreamResponse:
            return html("plain")

        async with site(page) as here:
            dns = Dns(developer_nvidia_com=[["127.0.0.1"]], site_example=[["127.0.0.1"]])
            policy = here.policy(dns, plain=False)
            # an unknown host is not asked at all; a listed one may only redirect
            assert await reason(Fetcher(policy), here.url("/a")) == "not_encrypted"
            assert here.asked == []
            assert (
                await reason(Fetcher(policy), here.url("/blog/a", "developer.nvidia.com")) == "not_encrypted"
            )
            assert here.asked == ["/blog/a"]

    run(asked())


@pytest.mark.parametrize(
    ("robots", "path", "expected"),
    [
        ("User-agent: *\nDisallow: /private", "/private/a", "robots"),
        ("User-agent: *\nDisallow: /private", "/public", ""),
        ("User-agent: *\nDisallow: /\n\nUser-agent: Smallprint\nAllow: /", "/a", ""),
        ("User-agent: Smallprint\nDisallow: /blog/*/old$", "/blog/x/old", "robots"),
        ("User-agent: Smallprint\nDisallow: /blog/*/old$", "/blog/x/older", ""),
        ("Disallow: /", "/a", ""),
    ],
)
def test_robots_txt_is_respected(robots: str, path: str, expected: str) -> None:
    async def asked() -> list[str]:
        async def page(request: web.Request) -> web.StreamResponse:
            return html("x")

        async with site(page, robots) as here:
            fetcher = Fetcher(here.policy())
            assert await reason(fetcher, here.url(path)) == expected
            assert await reason(fetcher, here.url(path)) == expected
            return here.asked

    found = run(asked())
    assert found.count("/robots.txt") == 1
    assert len(found) == (1 if expected else 3)


def test_a_host_is_asked_in_its_pace() -> None:
    async def asked() -> float:
        async def page(request: web.Request) -> web.StreamResponse:
            return html("x")

        async with site(page) as here:
            # All twelve ask at one moment, however slow this machine is.
            fetcher = Fetcher(here.policy(interval=0.2, robots=False), clock=lambda: 1.0)
            start = time.perf_counter()
            reasons = await asyncio.gather(*(reason(fetcher, here.url(f"/{n}")) for n in range(12)))
            assert reasons.count("") == 4
            assert reasons.count("busy") == 8
            assert len(here.asked) == 4
            return time.perf_counter() - start

    assert run(asked()) > 0.55


def test_a_place_that_is_not_admitted_is_not_asked() -> None:
    async def asked() -> None:
        async def page(request: web.Request) -> web.StreamResponse:
            raise web.HTTPFound("/elsewhere")

        async with site(page) as here:
            found = await reason(
                Fetcher(here.policy()), here.url("/blog"), admit=lambda url: url.path == "/blog"
            )
            assert found == "not_listed"
            assert here.pages == ["/blog"]

    run(asked())


@pytest.mark.parametrize("packed", ["gzip", "deflate", "raw deflate", "identity"])
def test_a_packed_page_is_unpacked(packed: str) -> None:
    text = b"<html><p>" + b"word " * 50_000
    raw_stream = zlib.compressobj(wbits=-15)
    bodies = {
        "gzip": gzip.compress(text),
        "deflate": zlib.compress(text),
        "raw deflate": raw_stream.compress(text) + raw_stream.flush(),
        "identity": text,
    }

    async def asked() -> Page:
        async def page(request: web.Request) -> web.StreamResponse:
            named = {"Content-Encoding": packed.removeprefix("raw "), "Content-Type": "text/html"}
            return web.Response(body=bodies[packed], headers=named)

        async with site(page) as here:
            return await Fetcher(here.policy()).fetch(here.url("/a"))

    assert run(asked()).html == text
