"""The development chain's accounts, derived from a recovery phrase, and the faucet's account."""

from functools import cache

from eth_account import Account

MNEMONIC = "test test test test test test test test test test test junk"
ACCOUNT_WEI = 10_000 * 10**18
FAUCET_WEI = 10**9 * 10**18
FAUCET_PATH = "m/44'/60'/1'/0/0"

Account.enable_unaudited_hdwallet_features()


def derive(mnemonic, count):
    """Returns the accounts at m/44'/60'/0'/0/i, by checksummed address."""
    accounts = (_account(mnemonic, f"m/44'/60'/0'/0/{i}") for i in range(count))
    return {account.address: account for account in accounts}


def faucet(mnemonic):
    """Returns the account that dev_fund spends from; a separate one, so that no nonce is shared."""
    return _account(mnemonic, FAUCET_PATH)


@cache
def _account(mnemonic, path):
    return Account.from_mnemonic(mnemonic, account_path=path)
