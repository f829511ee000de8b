"""The messages of Mahjong Soul's records that haiyomi reads, by the numbers of their fields.

The game publishes its schema (``liqi.json``) with its client; these are the fields that a record
needs. ``RECORDS`` are the entries of a record, by name without ``.lq.``.
"""

from __future__ import annotations

from typing import Final

from haiyomi.logs.protobuf import Field, Message, Scalar


def _message(
    **fields: tuple[int, Scalar | Message] | tuple[int, Scalar | Message, bool],
) -> Message:
    """A message: name -> (number, type) or (number, type, True) for an array."""
    return Message({number: Field(name, *rest) for name, (number, *rest) in fields.items()})


WRAPPER: Final = _message(name=(1, "text"), data=(2, "bytes"))
"""A message by name."""
RECORDS_FIELD: Final = 1
ACTIONS_FIELD: Final = 3
ACTION: Final = _message(type=(2, "uint"), result=(3, "bytes"))
"""``GameDetailRecords`` has wrappers: as field 1 until 2021, since then in actions, as field 3."""

_RULE = _message(
    dora_count=(3, "uint"),
    shiduan=(4, "uint"),
    init_point=(5, "uint"),
    fandian=(6, "uint"),
    can_jifei=(7, "bool"),
    liqibang_value=(9, "uint"),
    changbang_value=(10, "uint"),
    noting_fafu_1=(11, "uint"),
    noting_fafu_2=(12, "uint"),
    noting_fafu_3=(13, "uint"),
    have_qieshangmanguan=(15, "bool"),
    have_biao_dora=(16, "bool"),
    have_gang_biao_dora=(17, "bool"),
    ming_dora_immediately_open=(18, "bool"),
    have_li_dora=(19, "bool"),
    have_gang_li_dora=(20, "bool"),
    have_sanjiahele=(25, "bool"),
    have_toutiao=(26, "bool"),
    have_yifa=(31, "bool"),
    disable_multi_yukaman=(40, "bool"),
    guyi_mode=(42, "uint"),
    dora3_mode=(43, "uint"),
    begin_open_mode=(44, "uint"),
    jiuchao_mode=(45, "uint"),
    muyu_mode=(46, "uint"),
    open_hand=(47, "uint"),
    xuezhandaodi=(48, "uint"),
    huansanzhang=(49, "uint"),
    chuanma=(50, "uint"),
    reveal_discard=(51, "uint"),
)
HEAD: Final = _message(
    uuid=(1, "text"),
    config=(
        5,
        _message(
            mode=(2, _message(mode=(1, "uint"), detail_rule=(6, _RULE))),
            meta=(3, _message(room_id=(1, "uint"), mode_id=(2, "uint"), contest_uid=(3, "uint"))),
        ),
    ),
    accounts=(11, _message(seat=(2, "uint"), nickname=(3, "text")), True),
    result=(
        12,
        _message(
            players=(
                1,
                _message(seat=(1, "uint"), total_point=(2, "int"), part_point_1=(3, "int")),
                True,
            )
        ),
    ),
)
"""Who played by which rules, and the final scores."""
ANSWER: Final = _message(head=(3, HEAD), data=(4, "bytes"), data_url=(5, "text"))
"""``ResGameRecord``, what the server answers when it is asked for a record."""

_FAN = _message(val=(2, "uint"), id=(3, "uint"))
_WIN = _message(
    hand=(1, "text", True),
    hu_tile=(3, "text"),
    seat=(4, "uint"),
    zimo=(5, "bool"),
    li_doras=(9, "text", True),
    yiman=(10, "bool"),
    count=(11, "uint"),
    fans=(12, _FAN, True),
    fu=(13, "uint"),
    point_rong=(15, "uint"),
    point_zimo_qin=(16, "uint"),
    point_zimo_xian=(17, "uint"),
    baopai=(21, "uint"),
)
RECORDS: Final[dict[str, Message]] = {
    "RecordNewRound": _message(
        chang=(1, "uint"),
        ju=(2, "uint"),
        ben=(3, "uint"),
        dora=(4, "text"),
        scores=(5, "int", True),
        liqibang=(6, "uint"),
        tiles0=(7, "text", True),
        tiles1=(8, "text", True),
        tiles2=(9, "text", True),
        tiles3=(10, "text", True),
        doras=(16, "text", True),
    ),
    "RecordDealTile": _message(seat=(1, "uint"), tile=(2, "text"), doras=(6, "text", True)),
    "RecordDiscardTile": _message(
        seat=(1, "uint"),
        tile=(2, "text"),
        is_liqi=(3, "bool"),
        moqie=(5, "bool"),
        doras=(8, "text", True),
        is_wliqi=(9, "bool"),
    ),
    "RecordChiPengGang": _message(
        seat=(1, "uint"), type=(2, "uint"), tiles=(3, "text", True), froms=(4, "uint", True)
    ),
    "RecordAnGangAddGang": _message(
        seat=(1, "uint"), type=(2, "uint"), tiles=(3, "text"), doras=(6, "text", True)
    ),
    "RecordHule": _message(
        hules=(1, _WIN, True),
        old_scores=(2, "int", True),
        delta_scores=(3, "int", True),
        scores=(5, "int", True),
        doras=(7, "text", True),
    ),
    "RecordNoTile": _message(
        liujumanguan=(1, "bool"),
        players=(2, _message(tingpai=(3, "bool")), True),
        scores=(3, _message(delta_scores=(3, "int", True)), True),
    ),
    "RecordLiuJu": _message(type=(1, "uint"), seat=(3, "uint")),
    "RecordBaBei": _message(seat=(1, "uint")),
}
