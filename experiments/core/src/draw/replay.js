"use strict";
(() => {
  const { spots, frames, faces } = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const board = byId("board"), units = byId("units"), view = byId("view"), slide = byId("slide");
  const ROW = 12;
  const make = (name, attributes, text) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    if (text !== undefined) node.textContent = text;
    return node;
  };
  let at = 0;

  /* The board at a frame is the sum of all changes up to it. */
  const sum = (key, until) => Object.assign({}, ...frames.slice(0, until + 1).map((frame) => frame[key]));

  /* What is shown on demand on hexes: who holds what with the front between, and the layers of the system. */
  const boxes = [...document.querySelectorAll("[data-layer]")];
  const held = byId("held"), front = byId("front"), zones = byId("zones"), signs = byId("signs");
  const overlay = () => {
    if (!held) return;
    const frame = frames[at], on = boxes.filter((box) => box.checked).map((box) => box.dataset.layer);
    const control = on.includes("control");
    held.style.fillOpacity = control ? "" : 0;
    front.replaceChildren();
    if (control) front.append(make("path", { d: frame.f, class: "front" }));
    zones.replaceChildren();
    for (const [id, side, places] of frame.z ?? []) {
      if (!on.includes(id)) continue;
      for (const place of places) zones.append(make("use", { href: "#p" + place, fill: `url(#hatch${side})` }));
    }
    signs.innerHTML = frame.s ?? "";
    for (const works of document.querySelectorAll(".works[id]")) {
      works.classList.toggle("razed", (frame.r ?? []).includes(Number(works.id.slice(1))));
    }
  };
  boxes.forEach((box) => box.addEventListener("change", overlay));

  const draw = () => {
    const changed = at > 0 ? frames[at].o : {};
    for (const [place, owner] of Object.entries(sum("o", at))) {
      byId("z" + place).setAttribute("class", (owner < 0 ? "no" : "o" + owner) + (place in changed ? " won" : ""));
    }
    units.replaceChildren();
    for (const [place, markers] of Object.entries(sum("u", at))) {
      const [x, y] = spots[place];
      let row = 0;
      for (const [side, words, rows] of markers) {
        if (typeof rows === "number") {
          const stack = make("g", { transform: `translate(${x} ${y})` });
          stack.innerHTML = faces[rows];
          units.append(stack);
          continue;
        }
        const group = make("g", {}), shade = side < 0 ? "n" : side;
        group.append(make("title", {}, words));
        for (const [text, width] of rows) {
          const middle = y + row++ * (ROW + 1);
          group.append(
            make("rect", { x: x - width / 2, y: middle - ROW / 2, width, height: ROW, rx: 2, class: "rim s" + shade }),
            make("text", { x, y: middle + 3.2, class: "mt t" + shade }, text),
          );
        }
        units.append(group);
      }
    }
    overlay();
    byId("when").textContent = frames[at].l;
    slide.value = at;
    const items = frames[at].w.map((words) => {
      const item = document.createElement("li");
      item.textContent = words;
      return item;
    });
    byId("words").replaceChildren(...items);
    byId("first").disabled = byId("back").disabled = at === 0;
    byId("last").disabled = byId("next").disabled = at === frames.length - 1;
  };
  const go = (to) => {
    at = Math.max(0, Math.min(frames.length - 1, to));
    draw();
  };

  /* The map fits the window at first. */
  const full = Number(board.getAttribute("width")), tall = Number(board.getAttribute("height"));
  let scale = Math.min(1.5, view.clientWidth / full, Math.max(0.5, (0.88 * window.innerHeight) / tall));
  const size = (factor) => {
    scale = Math.max(0.3, Math.min(4, scale * factor));
    board.style.width = full * scale + "px";
    /* Numbers of hexes show where they can be read. */
    board.classList.toggle("far", scale < 0.75);
  };

  const steps = { first: () => go(0), back: () => go(at - 1), next: () => go(at + 1), last: () => go(frames.length - 1) };
  for (const [id, step] of Object.entries(steps)) byId(id).addEventListener("click", step);
  byId("in").addEventListener("click", () => size(1.25));
  byId("out").addEventListener("click", () => size(0.8));
  for (const goal of document.querySelectorAll("[data-frame]")) {
    goal.addEventListener("click", () => go(Number(goal.dataset.frame)));
  }
  slide.addEventListener("input", () => go(Number(slide.value)));
  const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", "+": "in", "-": "out" };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
    event.preventDefault();
    byId(keys[event.key]).click();
  });
  size(1);
  draw();
})();
