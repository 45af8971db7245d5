# pragma version 0.4.3
# pragma evm-version london
"""
@notice Forces its money on another account, which cannot refuse.
"""
@external
@payable
def explode(on: address):
    selfdestruct(on)
