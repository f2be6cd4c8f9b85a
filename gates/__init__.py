"""From complete results to the gate: verification, audit, metrics, bootstrap, decision, report."""
