"""What all modules of the package raise."""


class TollError(Exception):
    """What Toll cannot do: what is wrong, where, what to do."""

    status = 0  # of libtoll, a toll_status; 0: it is not from there
