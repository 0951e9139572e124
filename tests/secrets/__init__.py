"""Secrets: rules, knowledge and laws."""
