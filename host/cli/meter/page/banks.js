// SPDX-License-Identifier: MIT
// Drawings of banks, which docs/site/moving.html and the pages of `dmm meter --html` have in common.
const LEFT = 26; // pixels for the numbers of banks

const key = name => `<span class="key" style="background: var(--${name})"></span>`;

let ink = {};
function readColours() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ["text", "faint", "line", "cell", "one", "done", "many", "on"])
    ink[name] = style.getPropertyValue("--" + name).trim();
}

// Returns a context in CSS pixels for a canvas of its parent's width.
function sheet(canvas, height) {
  const scale = devicePixelRatio || 1, width = canvas.clientWidth;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.style.height = height + "px";
  const pen = canvas.getContext("2d");
  pen.scale(scale, scale);
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  return [pen, width];
}

const rowHeight = banks => Math.max(3, Math.min(16, 352 / banks));

function drawBanks(pen, banks, width) {
  const height = rowHeight(banks), every = Math.max(1, 2 ** Math.ceil(Math.log2(12 / height)));
  pen.fillStyle = ink.cell;
  pen.fillRect(LEFT, 0, width - LEFT, banks * height);
  pen.fillStyle = ink.faint;
  pen.font = "10px system-ui, sans-serif";
  for (let bank = 0; bank < banks; bank += every)
    pen.fillText(bank, LEFT / 2, Math.max(6, (bank + 0.5) * height + 0.5));
}

function drawCell(pen, x, y, width, height, colour, text) {
  pen.fillStyle = colour;
  const gap = Math.min(width, height) > 4 ? 1 : 0;
  pen.fillRect(x, y, Math.max(width - gap, 0.5), height - gap);
  if (text && height >= 8 && width >= 7 * text.length) {
    pen.fillStyle = ink.on;
    pen.font = `${Math.min(height, 12) - 1}px system-ui, sans-serif`;
    pen.fillText(text, x + (width - gap) / 2, y + (height - gap) / 2 + 0.5);
  }
}

// Draws steps side by side: a row a bank, below them the passes. A step is {words: [of each bank], passes}. `most` steps
// fill the width, `worst` passes the height. Steps from number `pale` on are pale.
function drawSteps(canvas, steps, {banks, most, worst, current, pale}) {
  const row = rowHeight(banks), bars = 60;
  const [pen, width] = sheet(canvas, banks * row + bars), column = Math.min(36, (width - LEFT) / most);
  drawBanks(pen, banks, LEFT + most * column);
  steps.forEach((step, i) => {
    const x = LEFT + i * column;
    pen.globalAlpha = i < pale ? 1 : 0.4;
    step.words.forEach((words, bank) => {
      const many = words > 1;
      if (words > 0)
        drawCell(pen, x, bank * row, column, row, many ? ink.many : ink.one, many ? String(words) : "");
    });
    const height = (bars - 8) * step.passes / worst;
    drawCell(pen, x, banks * row + bars - height, column, height, step.passes > 1 ? ink.many : ink.one);
  });
  pen.globalAlpha = 1;
  pen.strokeStyle = ink.text;
  pen.lineWidth = 1.5;
  if (current < steps.length)
    pen.strokeRect(LEFT + current * column, 0.75, Math.max(column, 2), banks * row + bars - 1.5);
}

// Draws local memory: a row a bank. A cell is {bank, column, colour, lanes}; `most` columns fill the width.
function drawMemory(canvas, cells, {banks, columns, most}) {
  const row = rowHeight(banks);
  const [pen, width] = sheet(canvas, banks * row), column = Math.min(36, (width - LEFT) / most);
  drawBanks(pen, banks, LEFT + columns * column);
  for (const {bank, column: at, colour, lanes} of cells) {
    const first = lanes[0] + (lanes.length > 1 ? "+" : "");
    const text = lanes.length > 1 && column < 7 * first.length ? "+" : first;
    drawCell(pen, LEFT + at * column, bank * row, column, row, ink[colour], text);
  }
}
