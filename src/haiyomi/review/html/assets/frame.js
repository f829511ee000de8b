// Frame of every page of the server: name, links, theme, language. `draw` builds the page anew.
function frame(here, draw, ...content) {
  setLang(lang);
  document.documentElement.dataset.theme = kept.get("theme") || "auto";
  const link = (href, key) => h("a", { href, "aria-current": href === here ? "page" : null }, word(key));
  const themeNow = kept.get("theme") || "auto";
  replace(document.getElementById("app"),
    h("header", { class: "top" },
      h("div", { class: "brand" }, h("h1", {}, h("span", { class: "logo", lang: "ja", "aria-hidden": "true" }, "牌読み"), " haiyomi"),
        h("nav", { class: "links", "aria-label": "haiyomi" }, link("/", "library"), link("/position", "editor"), link("/api", "apiLink"))),
      h("div", { class: "tools" },
        h("button", { type: "button", id: "theme", on: { click: () => { kept.set("theme", { auto: "light", light: "dark", dark: "auto" }[themeNow]); draw(); } } }, word("theme") + ": " + word("themes." + themeNow)),
        languageChoice(draw))),
    content);
}

// Ask the server; an error is thrown with the server's own sentence.
const ask = (method, path, body, type) => send(method, "/api/v1" + path, body, type);
async function send(method, path, body, type = "application/json") {
  const options = { method, headers: {} };
  if (body !== undefined) { options.body = type === "application/json" ? JSON.stringify(body) : body; options.headers["content-type"] = type; }
  const reply = await fetch(path, options);
  if (reply.status === 204) return null;
  const value = await reply.json();
  if (!reply.ok) throw new Error(value.error?.message || String(reply.status));
  return value;
}
