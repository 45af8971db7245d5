"""A development chain: the EVM behind Ethereum's JSON-RPC, on loopback. See README.md."""
