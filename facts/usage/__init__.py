"""What people and queries ask of an account's data: query shapes, and the labels they touch."""
