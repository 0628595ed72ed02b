"""HTTP and WebSocket, exactly as docs/protocol.md says."""
