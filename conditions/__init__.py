"""What an agent may see: the frozen execution state and the five exposure policies."""
