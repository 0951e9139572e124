"""Checks the text of a certificate, whatever kind it is."""

from __future__ import annotations

from solver.certificates.checker import Checked, check_certificate
from solver.certificates.format import (
    is_seat_certificate,
    read_certificate,
    read_seat_certificate,
)
from solver.certificates.seat_checker import check_seat_certificate


def check_text(text: str) -> Checked:
    """Check the certificate; GameError says what is wrong with it."""
    if is_seat_certificate(text):
        return check_seat_certificate(read_seat_certificate(text))
    return check_certificate(read_certificate(text))
