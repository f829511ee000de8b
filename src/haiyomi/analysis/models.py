"""The models that an Analyzer asks: those that the package ships, unless others are given."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from haiyomi.dealin.answer import DealInModel
from haiyomi.dealin.models import NO_TEDASHI, load_model
from haiyomi.errors import check_type
from haiyomi.reading.model import HandModel

if TYPE_CHECKING:
    from haiyomi.outcomes.later import LaterModel
    from haiyomi.outcomes.placement import PlacementModel
    from haiyomi.reading.answer import TenpaiSampler
    from haiyomi.styles.policy import Policy


class Models:
    """The model for each question. One that is not given is the shipped one, which is loaded at
    its first use; this raises ModelError where it cannot be read.

    ``deal_in``: a deal-in model, its name or its file's path (ModelError where there is none).
    ``hidden_hands``: likewise, but read at its first use; the names are those of
    ``reading.models``. Where both are the file of one network, it is read once and asked once.
    ``policy``: what players of each style would do, the part ``styles`` of an analysis; the
    forecast of options asks the policy of ``later``. ``later``: what comes after an option. Where
    ``deal_in`` is ``posterior:no-tedashi``, the other shipped models ignore tedashi too. The model
    of the placement is always the shipped one. ArgumentError for what is no model.
    """

    def __init__(
        self,
        deal_in: DealInModel | str | Path | None = None,
        hidden_hands: HandModel | str | Path | None = None,
        policy: Policy | None = None,
        later: LaterModel | None = None,
    ) -> None:
        if policy is not None:
            from haiyomi.styles.policy import Policy

            check_type(policy, "Models(policy=...)", Policy)
        if later is not None:
            from haiyomi.outcomes.later import LaterModel

            check_type(later, "Models(later=...)", LaterModel)
        if deal_in is not None:
            check_type(deal_in, "Models(deal_in=...)", str, Path, DealInModel)
        if hidden_hands is not None:
            check_type(hidden_hands, "Models(hidden_hands=...)", str, Path, HandModel)
        deal_in = str(deal_in) if isinstance(deal_in, Path) else deal_in
        hidden_hands = str(hidden_hands) if isinstance(hidden_hands, Path) else hidden_hands
        self._deal_in = load_model(deal_in) if isinstance(deal_in, str) else deal_in
        self._hidden_hands = hidden_hands
        self._one_file = isinstance(deal_in, str) and deal_in == hidden_hands
        self._policy = policy
        self._later = later

    def __getstate__(self) -> dict[str, object]:
        """What was given: another process loads the shipped models itself."""
        return {name: held for name, held in vars(self).items() if name.startswith("_")}

    @property
    def forgets(self) -> bool:
        """Whether the models ignore which discards were tsumogiri."""
        return self._deal_in is not None and self._deal_in.name == NO_TEDASHI

    @cached_property
    def deal_in(self) -> DealInModel:
        """Who may win on which tile, and for how much."""
        return self._deal_in or load_model()

    @cached_property
    def hidden_hands(self) -> HandModel:
        """What the opponents may hold."""
        from haiyomi.dealin.network_model import NetworkModel
        from haiyomi.reading.counts import CountModel
        from haiyomi.reading.models import DEFAULT, load_hand_model

        given = self._hidden_hands or DEFAULT
        same = self._one_file or (self.forgets and given == DEFAULT)
        if same and isinstance(self._deal_in, NetworkModel):
            return CountModel(self._deal_in.network)
        return load_hand_model(given) if isinstance(given, str) else given

    @cached_property
    def tenpai_hands(self) -> TenpaiSampler:
        """What draws hands of an opponent in riichi: the given deal-in model if it can, so that
        they agree with its risks, or else the shipped one."""
        from haiyomi.dealin.network_model import shipped
        from haiyomi.reading.answer import TenpaiSampler

        given = self._deal_in
        return given if isinstance(given, TenpaiSampler) else shipped()

    @cached_property
    def policy(self) -> Policy:
        """What players of each style would do."""
        from haiyomi.styles.policy import shipped_policy

        return self._policy or shipped_policy()

    @cached_property
    def later(self) -> LaterModel:
        """How the hand ends after each option."""
        from haiyomi.outcomes.later_models import shipped

        return self._later or (replace(shipped(), forgets=True) if self.forgets else shipped())

    @cached_property
    def placement(self) -> PlacementModel:
        """Where the game ends, from what the next hand starts with."""
        from haiyomi.outcomes.placement import shipped

        return shipped()


def shipped_digests() -> dict[str, str]:
    """The SHA-256 of each shipped network's file, by its name: what answers depend on."""
    from haiyomi.networks import opponents
    from haiyomi.outcomes import later_models
    from haiyomi.storage.seal import digest
    from haiyomi.styles import policy

    files = (policy.SHIPPED, opponents.SHIPPED, later_models.SHIPPED)
    return {file.name: digest(file) for file in files}
