"""One table in Python: what seats know, its record, a session, the value of actions.

Importing this folder puts it where the function `tefuda.table` was. Called, it does what the function does.
"""

import sys
from types import ModuleType


class _Opening(ModuleType):
    """A module that opens a table when it is called."""

    __call__ = staticmethod(sys.modules["tefuda"].table)


sys.modules[__name__].__class__ = _Opening
