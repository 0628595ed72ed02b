"""The reading process: paths come in, tags go out. It loads as little as it can, to start fast."""

import gc
import os
import struct
import sys
from typing import BinaryIO

import msgspec

from varv.music.tags import read_many

LENGTH = struct.Struct("<I")
"""Every message is a length and so many bytes of MessagePack."""

_paths = msgspec.msgpack.Decoder(list[bytes])


def main(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer until nobody asks any more."""
    # What is made here is dropped again by counting references; looking for cycles takes a tenth.
    gc.set_threshold(100_000)
    while head := requests.read(LENGTH.size):
        paths = _paths.decode(requests.read(LENGTH.unpack(head)[0]))
        found = read_many([os.fsdecode(path) for path in paths])
        # Paths that are no text cannot be sent back, and need not be.
        sendable = [
            tags if tags.path.isascii() else msgspec.structs.replace(tags, path="")
            for tags in found
        ]
        message = msgspec.msgpack.encode(sendable)
        answers.write(LENGTH.pack(len(message)) + message)
        answers.flush()


if __name__ == "__main__":
    main(sys.stdin.buffer, sys.stdout.buffer)
