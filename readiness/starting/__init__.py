"""Starting Ken: everything that has to stand before it serves, and what keeps it standing."""
