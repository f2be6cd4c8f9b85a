"""Language models behind OpenAI-compatible servers.

`section` is read with every configuration. `agent` loads the HTTP client: not before it is asked
for.
"""
