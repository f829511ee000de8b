"""How well the policy does what people do, and how its seats play in games of others."""
