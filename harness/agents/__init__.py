"""Agents: what answers in an episode, behind one protocol."""
