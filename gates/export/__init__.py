"""What a finished study looks like to other programs: logs, tables, figures, the task set."""
