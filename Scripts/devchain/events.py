"""Events for filters and subscriptions, delivered once they are on disk."""


class Events:
    """Collects a command's events; delivers them after its commit, in order."""

    def __init__(self):
        self.listeners, self.noted = [], []

    def note(self, kind, shape):
        self.noted.append((kind, shape))

    def drop(self):
        self.noted.clear()

    def deliver(self, faults):
        noted, self.noted = self.noted, []
        for kind, shape in noted:
            if faults.hides(kind):
                continue
            for listener in list(self.listeners):
                listener(kind, shape)
