"""The command line: a command's words are its file's path."""
