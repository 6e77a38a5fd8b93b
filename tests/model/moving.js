// SPDX-License-Identifier: MIT
// moving.js counts PAGE MOVING_COUNTS DMM: compares the counts of moving.html with those of the model's plain sort and,
// for dmm's sort, with those that dmm meter reads from the running kernel.
// moving.js browser PAGE BROWSER: opens the page in a headless browser, and compares the counts that it shows.
"use strict";
const {execFileSync, spawnSync} = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");

const [mode, page, ...programs] = process.argv.slice(2);
const html = fs.readFileSync(page, "utf8");
const hex = html.match(/id="module">([0-9a-f]+)</)[1];
const sort = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(hex, "hex"))).exports;
sort._initialize();

const PLAIN = 0, DMM = 1, OUTSIDE = 10; // as in moving.c
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "moving-"));
let failures = 0;

function check(agrees, text) {
  if (!agrees) {
    console.log("moving.js: " + text);
    failures++;
  }
}

const range = (from, to) => Array.from({length: to - from}, (_, i) => from + i);
const roundsOf = u => range(1, Math.log2(u) + 1);
const totalsOf = (side, round) => range(0, 4).map(field => sort.moving_total(side, round, field));

function sum(side, rounds) {
  const all = rounds.map(round => totalsOf(side, round));
  return range(0, 3).map(f => all.reduce((s, row) => s + row[f], 0)).concat(Math.max(...all.map(row => row[3])));
}

function keysOf(n) {
  return Buffer.from(Uint32Array.from({length: n}, (_, i) => sort.moving_key(i)).buffer);
}

// The steps of all warps of a round make up the round's counts.
function checkWarps(name, choice, round) {
  const {w, E, u, input} = choice;
  for (const side of [PLAIN, DMM]) {
    let steps = 0, passes = 0;
    for (let warp = 0; warp < u / w; warp++) {
      sort.moving_run(w, E, u, input, round, warp);
      steps += sort.moving_steps(side);
      for (let i = 0; i < sort.moving_steps(side); i++)
        passes += sort.moving_passes(side, i);
    }
    const total = totalsOf(side, round);
    check(steps === total[0] && passes === total[1],
      `${name}: round ${round}: ${steps} steps and ${passes} passes, not ${total}`);
  }
}

function checkModel(name, {w, E, u}) {
  const model = execFileSync(programs[0], [w, E, u], {input: keysOf(u * E), encoding: "utf8"}).trim().split("\n");
  const ours = roundsOf(u).map(round => totalsOf(PLAIN, round).join(" "));
  check(ours.join() === model.join(), `${name}: plain sort: ${ours} on the page, ${model} in the model`);
}

function checkMeter(name, {w, E, u}) {
  const [keys, sorted] = ["keys.bin", "sorted.bin"].map(file => path.join(folder, file));
  fs.writeFileSync(keys, keysOf(u * E));
  const json = execFileSync(programs[1], ["meter", "--banks", w, "--lanes", w, "--json", "-", "--", programs[1],
    "--set", `form=gpu,u=${u},E=${E}`, "sort", "--type", "u32", keys, "-o", sorted], {encoding: "utf8"});
  const local = JSON.parse(json).kernels.find(kernel => kernel.name === "dmm_sort_tile").local;
  const metered = [local.steps, local.passes, local.conflicts, local.worst];
  const ours = sum(DMM, roundsOf(u).concat(OUTSIDE));
  check(ours.join() === metered.join(), `${name}: dmm: ${ours} on the page, ${metered} in the kernel`);
}

// METERED: shapes that are run in the simulator, too: d = 1, 4, 16 and w; groups of one, two and four warps.
const METERED = ["32 15 64", "32 16 64", "16 12 64", "8 8 8"];

function compareCounts() {
  let choices = 0, metered = 0;
  for (const w of [4, 8, 16, 32, 64, 128])
    for (const E of [2, 3, 5, 8, 12, 15, 16, 17, 31, 32].filter(e => e <= w))
      for (const u of [w, 2 * w, 4 * w])
        for (const input of [0, 1, 2]) {
          const choice = {w, E, u, input}, name = `w=${w} E=${E} u=${u} input ${input}`, last = Math.log2(u);
          check(sort.moving_run(w, E, u, input, last, 0) === 1, name + ": refused, or not sorted");
          check(sum(DMM, roundsOf(u).concat(OUTSIDE))[2] === 0, name + ": dmm has conflicts");
          choices++;
          if (E % 4 === 3)
            for (const round of [1, last])
              checkWarps(name, choice, round);
          checkModel(name, choice);
          if (METERED.includes(`${w} ${E} ${u}`)) {
            checkMeter(name, choice);
            metered++;
          }
        }
  check(sort.moving_run(32, 33, 64, 0, 1, 0) === 0, "E = 33 is not refused");
  console.log(`${choices} choices, ${metered} of them in the meter`);
}

// Opens the page with a choice in its link; compares each cell of its tables.
function checkBrowser({w, E, u, input, round}) {
  const link = `file://${path.resolve(page)}#w=${w}&E=${E}&u=${u}&input=${input}&round=${round}&warp=0`;
  const seen = spawnSync(programs[0], ["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
    "--user-data-dir=" + folder, "--virtual-time-budget=5000", "--dump-dom", link],
    {encoding: "utf8", timeout: 120000});
  const said = (seen.stderr || "").split("\n").filter(line => /CONSOLE/.test(line));
  check(said.length === 0, `${link}: ${said}`);
  sort.moving_run(w, E, u, input, round, 0);
  for (const side of [PLAIN, DMM])
    [totalsOf(side, round), sum(side, roundsOf(u))].forEach((numbers, row) => numbers.forEach((number, i) => {
      const id = `n${side}${row + 1}${i}`, cell = (seen.stdout || "").match(new RegExp(`id="${id}">([0-9,]*)<`));
      check(cell && cell[1].replace(/,/g, "") === String(number), `${link}: ${id}: ${cell && cell[1]}, not ${number}`);
    }));
}

if (mode === "counts")
  compareCounts();
else
  for (const choice of [{w: 32, E: 15, u: 64, input: 2, round: 6}, {w: 8, E: 6, u: 32, input: 0, round: 3},
    {w: 128, E: 32, u: 512, input: 1, round: 9}])
    checkBrowser(choice);
fs.rmSync(folder, {recursive: true, force: true});
process.exit(failures ? 1 : 0);
