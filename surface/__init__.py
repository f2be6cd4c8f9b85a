"""The study's surface: nested catalogs, tasks, their validation and the deterministic executor."""
