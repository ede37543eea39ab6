"""Grows the trees of confidence from the observations of `learn.ts`; see there."""

import collections
import json
import sys
import zlib

import lightgbm
import numpy as np

folder, target, *options = sys.argv[1:]
sets = ["pages", "written", "anecdotes", "third", "second", "generated"]
rows = [row for name in sets for row in json.load(open(f"{folder}/{name}.json"))]

# How much a value counts, by its set. A family counts for at most so many values of a kind.
weight_of = {"pages": 2, "written": 1.5, "anecdotes": 1.5, "third": 4, "second": 4, "generated": 1}
other_labels, other_kind, family_weight = 0.5, 0.1, 12
folds, repeats, trees = 6, 3, 150
growth = dict(
    objective="binary", learning_rate=0.06, num_leaves=15, min_data_in_leaf=20, lambda_l2=4,
    feature_fraction=0.25, bagging_fraction=0.8, bagging_freq=1, max_bin=63, seed=7,
    deterministic=True, force_col_wise=True, num_threads=1, verbose=-1,
)
# The share of sure values that may be wrong, of real and of written documents.
most_wrong_real, most_wrong_written, sure_from = 0.01, 0.005, 0.9

names = sorted({name for row in rows for name in row["features"]})
X = np.array([[row["features"].get(name, 0) for name in names] for row in rows], dtype=np.float32)
y = np.array([row["right"] for row in rows], dtype=float)
family = np.array([row["family"] for row in rows])
kind = np.array([row["kind"] for row in rows])
group = np.array([row["set"] for row in rows])
real = np.array([row["isReal"] for row in rows])
plain = np.array([row["isPlain"] for row in rows])
limits = [row["limits"] for row in rows]
fits = np.array([row["fits"] for row in rows])
before = np.array([row["confidence"] for row in rows])
sizes = collections.Counter(zip(family, kind, plain))
weight = np.array([
    weight_of[s] * (1 if p else other_labels) * (1 if fit else other_kind) * min(1, family_weight / sizes[f, k, p])
    for s, f, k, p, fit in zip(group, family, kind, plain, fits)
])
# Generated documents, those that once went wrong and those of another kind are for fitting, not for evidence.
judged = plain & (group != "generated") & (group != "anecdotes") & fits


def grow(inside, columns):
    data = lightgbm.Dataset(X[inside][:, columns], y[inside], weight=weight[inside])
    return lightgbm.train(growth, data, trees)


def left_out(columns):
    """The log-odds of each value by trees that saw no document of its issuer, for each repeat."""
    found = []
    for repeat in range(repeats):
        fold = np.array([zlib.crc32(f"{repeat} {name}".encode()) % folds for name in family])
        odds = np.zeros(len(y))
        for at in range(folds):
            outside = (fold == at) & judged
            odds[outside] = grow(fold != at, columns).predict(X[outside][:, columns], raw_score=True)
        found.append(odds)
    return np.array(found)


def limited(odds, without=None):
    """The log-odds, except of values that a doubt keeps from being sure. `without` names a doubt that does not count."""
    held = np.array([any(most < sure_from for name, most in row.items() if name != without) for row in limits])
    return np.where(held, np.minimum(odds, -9), odds)


def least_sure(odds, of, most_wrong):
    """The least log-odds from which at most a share of the values is wrong, over all repeats."""
    values, right = odds[:, of].ravel(), np.tile(y[of], repeats)
    order = np.argsort(-values, kind="stable")
    wrong = np.cumsum(1 - right[order]) <= most_wrong * np.arange(1, len(order) + 1)
    ends = np.append(np.diff(values[order]) != 0, True)
    fit = np.where(wrong & ends)[0]
    return values[order][fit[-1]] if len(fit) else np.inf


def interval(wrong, of):
    """The 95 % interval of a share (Wilson)."""
    if of == 0:
        return "–"
    z, p = 1.96, wrong / of
    middle, half = p + z * z / (2 * of), z * np.sqrt(p * (1 - p) / of + z * z / (4 * of * of))
    return f"{100 * (middle - half) / (1 + z * z / of):.1f}–{100 * (middle + half) / (1 + z * z / of):.1f} %"


def show(name, sure, of):
    """A line: the share that is sure, and how many of those are wrong. `sure` has a row for each repeat."""
    among = sure[:, of]
    count, wrong = among.sum() / len(among), (among & (y[of] == 0)).sum() / len(among)
    print(f"{name:34} {of.sum():5} values, {100 * y[of].mean():5.1f} % right; sure {100 * count / of.sum():5.1f} %, "
          f"wrong among them {wrong:4.1f} of {count:6.1f} ({interval(wrong, count)})")


def threshold_of(odds):
    """The least log-odds of sure values, so that few enough are wrong among real documents and among written ones."""
    return max(least_sure(odds, is_real, most_wrong_real), least_sure(odds, is_written, most_wrong_written))


is_real, is_written = judged & real, judged & ~real
everything = np.arange(len(names))
unlimited = left_out(everything)
odds = limited(unlimited)
threshold = threshold_of(odds)
print(f"{len(rows)} values, {judged.sum()} of them judged, {len(names)} features; sure from log-odds {threshold:.2f}\n")
for title, sure in [("before", before[None] >= sure_from), ("issuers left out", odds >= threshold)]:
    parts = {"real and samples": is_real, "written": is_written, "all": judged}
    parts |= {f"  {one}": judged & (kind == one) for one in sorted(set(kind))}
    for name, of in parts.items():
        show(f"{title}, {name}", sure, of)


def loss(odds):
    p = 1 / (1 + np.exp(-np.clip(odds[:, judged], -9, 9)))
    return -(np.log(np.where(y[judged] == 1, p, 1 - p))).mean()


model = grow(np.ones(len(y), bool), everything)
gain = model.feature_importance("gain") / model.feature_importance("gain").sum()
if "--ablate" in options:
    for title in [None, *sorted({name for row in limits for name in row})]:
        kept = limited(unlimited, title)
        sure = kept >= threshold_of(kept)
        show(f"without {title}, real and samples" if title else "all limits, real and samples", sure, is_real)
        show(f"without {title}, written" if title else "all limits, written", sure, is_written)
    repeats = 1
    losses = {at: loss(left_out(everything[everything != at])) for at in everything[gain > 0]}
    # Which features each tree may ask is drawn by lot: most features are missed by nobody, and their median is the measure.
    usual = np.median(list(losses.values()))
    print("\nAblation: share of the gain; log loss of issuers left out without the feature, above that without most others (10⁻⁴)")
    for at in sorted(losses, key=lambda at: -gain[at]):
        print(f"  {names[at]:20} {100 * gain[at]:5.2f} % {1e4 * (losses[at] - usual):6.1f}")


def node_of(node, used):
    if "leaf_value" in node:
        return round(node["leaf_value"], 4)
    at = used.index(node["split_feature"])
    below, above = node_of(node["left_child"], used), node_of(node["right_child"], used)
    return [at, float(f"{node['threshold']:.6g}"), below, above, round(node["internal_value"], 4)]


if "--write" in options:
    used = [at for at in range(len(names)) if gain[at] > 0]
    grown = [node_of(tree["tree_structure"], used) for tree in model.dump_model()["tree_info"]]
    bias = round(np.log(sure_from / (1 - sure_from)) - threshold, 4)
    with open(target, "w") as file:
        json.dump({"bias": bias, "features": [names[at] for at in used], "trees": grown}, file, separators=(",", ":"))
        file.write("\n")
