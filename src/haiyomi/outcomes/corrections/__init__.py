"""What the networks of options miss, each as a measured number, in the order of ``forecast``."""
