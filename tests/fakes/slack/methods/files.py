"""files.*: the upload in three steps, the only one that is left."""

from __future__ import annotations

from typing import Any

from aiohttp import web

from tests.fakes.slack import limits
from tests.fakes.slack.api import Request, method
from tests.fakes.slack.core import ApiError, Core
from tests.fakes.slack.model import File
from tests.fakes.slack.posting import check_content, may_post

WRITE = ("files:write",)


@method("files.getUploadURLExternal", "filename length alt_txt snippet_type", scopes=WRITE, tier=4)
async def upload_url(request: Request) -> dict[str, Any]:
    """Where to put the bytes of a file."""
    alt_text = str(request.args.get("alt_txt") or "")
    if len(alt_text) > limits.FILE_ALT_TEXT:
        raise ApiError("invalid_arguments", f"[ERROR] alt_txt of more than {limits.FILE_ALT_TEXT} characters")
    core = request.slack.core
    made = File(core.world.id("F"), request.text("filename"), request.number("length", 0), alt_text)
    if made.length <= 0:
        raise ApiError("invalid_arguments", "[ERROR] length")
    core.world.files[made.id] = made
    return {"upload_url": f"{core.address}/upload/{made.id}", "file_id": made.id}


async def upload(core: Core, request: web.Request) -> web.Response:
    """Take the bytes of a file."""
    file = core.world.files.get(request.match_info["file"])
    content = await request.read()
    if file is None or file.complete:
        return web.Response(status=404, text="no such upload")
    if request.content_type.startswith("multipart/"):
        core.offend("upload: the fake takes the bare bytes of a file only")
        return web.Response(status=415, text="bare bytes only")
    if len(content) != file.length:
        core.offend(f"upload: {len(content)} bytes instead of {file.length}")
        return web.Response(status=400, text="wrong length")
    file.content = content
    return web.Response(text=f"OK - {len(content)}")


@method(
    "files.completeUploadExternal",
    "files channel_id channels initial_comment thread_ts blocks",
    scopes=WRITE,
    tier=4,
)
async def complete(request: Request) -> dict[str, Any]:
    """Share uploaded files, in a channel where one is named."""
    slack, args = request.slack, request.args
    if not isinstance(args.get("files"), list) or not args["files"]:
        raise ApiError("invalid_arguments", "[ERROR] files")
    files = []
    for one in args["files"]:
        file = slack.core.world.files.get(one.get("id"))
        if file is None or file.content is None or file.complete:
            raise ApiError("file_not_found")
        file.title = one.get("title") or file.name
        files.append(file)
    channel = None
    if args.get("channel_id"):
        request.args = {**args, "channel": args["channel_id"]}
        channel = request.channel()
        may_post(channel, request.installation)
    wires = [{"id": one.id, "name": one.name, "title": one.title, "alt_txt": one.alt_text} for one in files]
    for file in files:
        file.complete = True
    if channel is not None:
        content = {**args, "text": args.get("initial_comment") or files[0].title}
        check_content(content)
        slack.posting.by_app(request.installation, channel, content).files = wires
    return {"files": wires}
