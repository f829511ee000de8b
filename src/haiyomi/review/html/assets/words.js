// The words of the page: WORDS, which stands before this, has a tree of texts for each language.

let lang = "en";
const LANGUAGES = Object.keys(WORDS);

// A text by its path, with the values of its {names}; a list or a tree as it is.
function word(path, values) {
  let found = WORDS[lang];
  for (const key of path.split(".")) found = found?.[key];
  if (found === undefined) return path;
  if (typeof found !== "string" || !values) return found;
  // One pass, so that braces inside a name are not read again.
  return found.replace(/\{(\w+)\}/g, (_, key) => (key in values ? String(values[key]) : ""));
}

function setLang(chosen) {
  lang = LANGUAGES.includes(chosen) ? chosen : "en";
  document.documentElement.lang = lang === "zh" ? "zh-Hans" : lang;
}
const keepLang = (chosen) => { setLang(chosen); kept.set("lang", lang); };
const nextOf = (chosen) => LANGUAGES[(LANGUAGES.indexOf(chosen) + 1) % LANGUAGES.length];

// Chooses the language; `draw` builds the page anew.
function languageChoice(draw) {
  return h("select", { class: "language", id: "language", "aria-label": word("languageName"), on: { change: (e) => { keepLang(e.target.value); draw(); } } },
    LANGUAGES.map((each) => h("option", { value: each, lang: each, selected: each === lang }, WORDS[each].own_name)));
}

// The names of hands: East 1, honba 2; where there is little room E1.2.
const roundOf = (k) => ({ wind: word("hand.winds")[Math.floor(k / 4) % 4], n: (k % 4) + 1 });
const handLong = (k, honba) => word("hand.long", roundOf(k)) + (honba ? word("hand.honba", { honba }) : "");
const handShort = (k, honba) => word("hand.letters")[Math.floor(k / 4) % 4] + ((k % 4) + 1) + (honba ? "." + honba : "");

// What a screen reader says for a tile: "red 5 of circles", "赤五筒".
function tileName(name) {
  if (name === "back") return word("tile.back");
  const suit = "mpsz".indexOf(name[1]), rank = name[0] === "0" ? 5 : Number(name[0]);
  if (suit === 3) return word("tile.honours")[rank - 1];
  const tile = word("tile.suits." + suit, { n: word("tile.ranks")[rank - 1] });
  return name[0] === "0" ? word("tile.red", { tile }) : tile;
}
// A tile in running text: 5p, 赤5p, East.
function tileText(name) {
  if (name[1] === "z") return word("tile.honours")[Number(name[0]) - 1];
  return name[0] === "0" ? word("tile.short_red", { suit: name[1] }) : name;
}
