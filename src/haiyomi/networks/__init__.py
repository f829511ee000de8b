"""The networks over decision records: one family for the policy and the readers of opponents."""
