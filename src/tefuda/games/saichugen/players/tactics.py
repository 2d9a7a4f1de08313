"""scratch"""
import numpy as np
from tefuda.games.saichugen.players.choices import *
from tefuda.games.saichugen.players import plan
from tefuda.games.saichugen.rules import ROUNDS, TURNS
# a tactic: for each turn (not scored, scored)
TACTICS = {
    "T-random": ((0,0),)*3,
    "T-take": ((MOST, LEAST),)*3,
    "T-nottake": ((LEAST, MOST),)*3,
    "T-take+3t": ((MOST, LEAST),)*2+((AIM_MIDDLE,)*2,),
    "T-nottake+3t": ((LEAST, MOST),)*2+((AIM_OUTSIDE,)*2,),
    "T-takepoint": ((AIM_POINTS, LEAST),)*2+((AIM_MIDDLE_POINTS,)*2,),
}
for n in range(5): TACTICS[f"choice{n}"] = ((n,n),)*3
def always(t): return ((t,t,t),)*5
STRATEGIES = {**{t: always(t) for t in TACTICS},
 "S-random": always("T-random"),
 "S-base": (("T-take","T-nottake","T-nottake"),)*5,
 "S-base+3t": (("T-take+3t","T-nottake+3t","T-nottake+3t"),)*5,
 "S-base+3t+4r": (("T-take+3t","T-nottake+3t","T-nottake+3t"),)*3 + (("T-takepoint","T-takepoint","T-nottake+3t"),)*2,
 "4rplain": (("T-take+3t","T-nottake+3t","T-nottake+3t"),)*3 + (("T-takepoint","T-takepoint","T-takepoint"),)*2,
 "4rtake": (("T-take+3t","T-nottake+3t","T-nottake+3t"),)*3 + (("T-takepoint","T-takepoint","T-nottake"),)*2,
}
def parameters_of(name):
    def parameters(variant, weights):
        p = np.zeros(plan.SIZE)
        for r in range(ROUNDS):
            for st in range(3):
                for t in range(TURNS):
                    for s in range(2):
                        p[((r*3+st)*3+t)*2+s] = TACTICS[STRATEGIES[name][r][st]][t][s]
        vals = [float(x) for x in variant.split(",")] if variant else [0, 0, 1, 0, 1, 0]
        p[plan.MISSING:] = vals
        return p
    return parameters
