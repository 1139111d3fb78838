"""The exception that all modules of the package raise."""


class TollError(Exception):
    """Toll has failed. The message says what is wrong, where, and what to do."""

    status = 0  # a toll_status of libtoll; 0: the error is not from libtoll
