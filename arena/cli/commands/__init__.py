"""The commands of the command line, a module each; they share what lies beside this folder."""
