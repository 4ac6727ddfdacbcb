"""What the assistant's planner reads over MCP: one tool, and the header as a resource."""
