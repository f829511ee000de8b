"""A refusal in the shape of every error reply."""

from __future__ import annotations

from starlette.exceptions import HTTPException


class Refused(HTTPException):
    """A refusal with a code for programs and a sentence for people."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(status, message)
        self.code = code
