// Compares the pictures of two folders that have the same path, and prints the answers as JSON
// lines: {name, before, after, pixels, densest} for each that differs, and at the end {pictures}.
// densest is how many pixels differ in that square of the picture where most do: it
// tells a change from grains that another release of the browser strews about.
//
// node compare.mjs KEPT NEW OUTPUT SIDE THRESHOLD: SIDE is that of the square; what differs is
// written into OUTPUT.
import { cp, mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";

const [kept, made, output, side, threshold] = process.argv.slice(2);

// enlarged is a picture on a larger ground: what only one of two has differs.
function enlarged(picture, width, height) {
  if (picture.width === width && picture.height === height) return picture;
  const ground = new PNG({ width, height });
  PNG.bitblt(picture, ground, 0, 0, picture.width, picture.height, 0, 0);
  return ground;
}

const size = (picture) => `${picture.width}×${picture.height}`;

async function compare(name) {
  const [before, after] = await Promise.all([kept, made].map(async (folder) => PNG.sync.read(await readFile(join(folder, name)))));
  const width = Math.max(before.width, after.width), height = Math.max(before.height, after.height);
  const one = enlarged(before, width, height).data, other = enlarged(after, width, height).data;
  const options = { threshold: Number(threshold) };
  const pixels = pixelmatch(one, other, null, width, height, options);
  if (pixels === 0 && size(before) === size(after)) return;
  const densest = pixelmatch(one, other, null, width, height, { ...options, windowSize: Number(side) });
  const drawn = new PNG({ width, height });
  pixelmatch(one, other, drawn.data, width, height, options);
  const to = (what) => join(output, name.replace(/png$/, `${what}.png`));
  await mkdir(dirname(to("kept")), { recursive: true });
  await cp(join(kept, name), to("kept"));
  await cp(join(made, name), to("new"));
  await writeFile(to("difference"), PNG.sync.write(drawn));
  console.log(JSON.stringify({ name, before: size(before), after: size(after), pixels, densest }));
}

const present = async (folder) => (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".png"));
const both = new Set(await present(kept));
const names = (await present(made)).filter((name) => both.has(name));
for (const name of names) await compare(name);
console.log(JSON.stringify({ pictures: names.length }));
