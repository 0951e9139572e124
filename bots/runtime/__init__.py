"""Everything around a bot: loading, faults, the protocol and its process."""
