"""Everything around a bot: loading, faults, the protocol, its process."""
