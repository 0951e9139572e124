"""Every hero of the box, one file for each faction."""
