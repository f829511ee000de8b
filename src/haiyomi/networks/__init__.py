"""The networks over decision records: one family for the policy and the opponents."""
