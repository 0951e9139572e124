"""Certificates: proofs as files, with a writer and an independent checker."""
