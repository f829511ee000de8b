"""Train a small network to imitate the policy that haiyomi ships, and let it play a tournament.

    python examples/imitate.py              # some minutes
    python examples/imitate.py --minute     # the same, smaller: 1 to 1.5 minutes

Needs the extra [torch]. The program shows the whole way: tables that give records and legal
actions, a network of one's own on them, and a bot that plays a tournament by it.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from haiyomi import Bot, Decision, Tables, run_tournament
from haiyomi.game.decision_record import Decisions
from haiyomi.play.actions import CHI, N_ACTIONS, choice_of_action, legal_mask
from haiyomi.play.packed_decision import decision_of
from haiyomi.play.player import Choice
from haiyomi.rules import TENHOU_EAST
from haiyomi.seeds import generator
from haiyomi.styles.policy import shipped_policy
from haiyomi.styles.policy_actions import policy_actions
from haiyomi.tiles import N_CODES, kind_of_code


@dataclass(frozen=True, slots=True)
class Examples:
    """Decisions: records (n,), legal actions (n, N_ACTIONS), the teacher's likeliest (n,)."""

    records: Decisions
    legal: NDArray[np.bool_]
    actions: NDArray[np.int64]


def watch_teacher(decisions: int, seed: int, tables: int = 64) -> Examples:
    """At least so many decisions of the shipped policy, playing against itself."""
    rng = generator(seed, "teacher")
    policy = shipped_policy()
    games = Tables(tables, seed=seed, rules=TENHOU_EAST)
    pending, seen = games.reset(), []
    while sum(len(rows.actions) for rows in seen) < decisions:
        records = games.records()
        likeliest = policy_actions(policy, records, pending.legal)
        seen.append(Examples(records, pending.legal, likeliest))
        # The games go on with drawn actions, so that they are as varied as people's.
        drawn = policy_actions(policy, records, pending.legal, temperature=1.0, rng=rng)
        pending = games.step(drawn).pending
    return Examples(
        np.concatenate([rows.records for rows in seen]),
        np.concatenate([rows.legal for rows in seen]),
        np.concatenate([rows.actions for rows in seen]),
    )


def inputs(records: Decisions) -> torch.Tensor:
    """(n, 34, features) float32: of each kind of tile, what the seat sees of it."""
    seen, kinds = records["observation"], np.arange(34)
    players = seen["players"]
    one_hot = [records["drawn"], records["offered"], *seen["indicators"].T]
    whole = [
        *(players["riichi"] >= 0).T,
        *(players["score"] / 25_000).T,
        *(np.minimum(records["calls"].reshape(len(records), -1), 60) / 60).T,
        seen["draws_left"] / 70,
        records["from"] == 255,
    ]
    columns = [
        records["hand"] / 4,
        seen["unseen"] / 4,
        *((players["kind"][..., None] == kinds).sum(axis=2).transpose(1, 0, 2) / 4),
        *((players["melds"][..., 1, None] == kinds).sum(axis=2).transpose(1, 0, 2)),
        *(kind[:, None] == kinds for kind in one_hot),
        records["waits"][:, None] >> kinds.astype(np.uint64) & np.uint64(1),
        np.minimum(records["efficiency"], 100).transpose(2, 0, 1)[0] / 8,
        *(np.minimum(records["efficiency"], 100).transpose(2, 0, 1)[1:] / 100),
        np.broadcast_to(kinds % 9 / 9 * (kinds < 27), records["hand"].shape),
        np.broadcast_to(kinds >= 27, records["hand"].shape),
        *(np.broadcast_to(number[:, None], records["hand"].shape) for number in whole),
    ]
    return torch.from_numpy(np.stack([c.astype(np.float32) for c in columns], axis=2))


class Network(torch.nn.Module):
    """The same layers for every kind, which see their own kind and the mean of all: logits of the
    actions that have a kind, and of all others from the mean."""

    def __init__(self, features: int, width: int = 64) -> None:
        super().__init__()
        self.first = torch.nn.Linear(features, width)
        self.blocks = torch.nn.ModuleList(torch.nn.Linear(2 * width, width) for _ in range(3))
        self.of_kinds = torch.nn.Linear(width, 4)
        self.whole = torch.nn.Linear(width, N_ACTIONS)
        codes = torch.tensor([kind_of_code(code) for code in range(N_CODES)])
        self.register_buffer("codes", codes, persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """(n, N_ACTIONS) logits of (n, 34, features)."""
        x = self.first(x)
        for block in self.blocks:
            active = torch.relu(x)
            mean = active.mean(dim=1, keepdim=True).expand_as(active)
            x = x + block(torch.cat([active, mean], dim=2))
        kinds = self.of_kinds(torch.relu(x))
        logits: torch.Tensor = self.whole(torch.relu(x).mean(dim=1))
        tiles = kinds[:, self.codes]
        ones = [tiles[..., 0], tiles[..., 1], kinds[..., 2], tiles[..., 3]]
        with_kind = torch.cat(ones, dim=1)  # discards, tsumogiri, kans, pons: actions 0 to CHI - 1
        return torch.cat([logits[:, :CHI] + with_kind, logits[:, CHI:]], dim=1)


def masked(logits: torch.Tensor, legal: NDArray[np.bool_]) -> torch.Tensor:
    """The logits, with those of actions that are not legal at -1e9."""
    return torch.where(torch.from_numpy(legal), logits, torch.tensor(-1e9))


def train(examples: Examples, epochs: int, seed: int) -> Network:
    """A network fitted to the teacher's choices by cross-entropy."""
    torch.manual_seed(seed)
    x, y = inputs(examples.records), torch.from_numpy(examples.actions)
    model = Network(x.shape[2])
    steps = torch.optim.Adam(model.parameters(), 2e-3)
    for epoch in range(epochs):
        total = 0.0
        for rows in torch.randperm(len(x)).split(256):
            logits = masked(model(x[rows]), examples.legal[rows.numpy()])
            loss = torch.nn.functional.cross_entropy(logits, y[rows])
            steps.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            steps.step()
            total += loss.item() * len(rows)
        print(f"epoch {epoch + 1}: loss {total / len(x):.3f}", flush=True)
    return model


def agreement(model: torch.nn.Module, examples: Examples) -> float:
    """The share of decisions at which the network's likeliest action is the teacher's."""
    with torch.no_grad():
        chosen = masked(model(inputs(examples.records)), examples.legal).argmax(dim=1)
    return float((chosen.numpy() == examples.actions).mean())


class Student(Bot):
    """Plays a seat by a network."""

    def __init__(self, model: torch.nn.Module) -> None:
        super().__init__()
        self.model = model

    def choose(self, decision: Decision) -> Choice:
        """The likeliest action."""
        legal = legal_mask(decision.choices)[None]
        with torch.no_grad():
            logits = masked(self.model(inputs(decision_of(decision))), legal)
        return choice_of_action(int(logits.argmax()), decision.choices)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minute", action="store_true", help="few decisions and games")
    parser.add_argument("--model", type=Path, default=Path("student.pt"))
    given = parser.parse_args()
    decisions, epochs, games = (4_000, 6, 6) if given.minute else (200_000, 15, 120)
    model = train(watch_teacher(decisions, seed=1), epochs, seed=1)
    unseen = watch_teacher(decisions // 6, seed=2)
    print(f"agreement on {len(unseen.actions)} other decisions: {agreement(model, unseen):.3f}")
    torch.save(model.state_dict(), given.model)
    result = run_tournament(
        {"student": lambda: Student(model), "random": "random"}, games, seed=3, rules=TENHOU_EAST
    )
    print(f"\n{result}")


if __name__ == "__main__":
    main()
