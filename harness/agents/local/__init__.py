"""A small language model in this process, offline: the real path where no server is."""
