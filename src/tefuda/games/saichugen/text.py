def show(states, seat=None, lang="both"): return ""
def action_name(states, action, lang="both"): return str(action)
