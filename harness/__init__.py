"""The study's harness: configuration, shards, the episode loop, agents and the result store."""
