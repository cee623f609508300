// Searches a static site. The index consists of scripts, since a page opened from a file can load nothing else.
const most = 12;
const inChunk = 50;
const shown = document.querySelector('#found');
const input = document.querySelector('#q');
const waitMs = 200;
const loaded = new Map();
const waiting = new Map();

globalThis.hemicycleIndex = (what, name, value) => waiting.get(`${what} ${name}`)?.(value);

input.value = new URLSearchParams(location.search).get('q') ?? '';
let latestWords = [];
let timer;
input.addEventListener('input', () => {
  clearTimeout(timer);
  timer = setTimeout(search, waitMs);
});
search();

async function search() {
  const words = [...new Set(wordsOf(input.value))];
  latestWords = words;
  if (words.length === 0) return shown.replaceChildren();
  const { starts, often } = await load('starts', '');
  const rare = words.filter((word) => !often.includes(word));
  const lists = await Promise.all(rare.map((word) => numbersOf(word, starts)));
  const [first = new Map(), ...otherLists] = lists.sort((a, b) => a.size - b.size);
  const matches = [...first.keys()].filter((number) => otherLists.every((each) => each.has(number)));
  const outsideTitle = (number) => lists.reduce((sum, each) => sum + each.get(number), 0);
  const ranked = matches.map((number) => ({ number, rank: outsideTitle(number) }));
  ranked.sort((a, b) => a.rank - b.rank || a.number - b.number);
  // The user has typed another query meanwhile.
  if (latestWords !== words) return;
  await tell(ranked, 0);
  if (rare.length < words.length) shown.firstChild.textContent += ` · ${shown.dataset.often}`;
}

/** Numbers of records with the word or prefix; the value is 1 if the title lacks it. */
async function numbersOf(word, starts) {
  const fileOf = (text) => starts.findLastIndex((first) => first.slice(1) <= text);
  const from = Math.max(0, fileOf(word));
  const last = fileOf(`${word}~`);
  // Search short words, and those with many continuations, only as whole words.
  const isWhole = word.length < 4 || last - from > 3;
  const numbers = new Map();
  for (let file = from; file <= (isWhole ? from : last); file += 1)
    for (const [each, steps] of Object.entries(await load('words', String(file))))
      if (isWhole ? each === `_${word}` : each.startsWith(`_${word}`)) note(steps, numbers);
  return numbers;
}

function note(steps, numbers) {
  let at = 0;
  for (const step of steps.split(' ')) {
    at += Number.parseInt(step, 36);
    const number = Math.floor(at / 2);
    numbers.set(number, Math.min(numbers.get(number) ?? 1, at % 2));
  }
}

async function titleOf({ number }) {
  const titles = await load('titles', String(Math.floor(number / inChunk)));
  return titles[number % inChunk];
}

function load(what, name) {
  const file = { words: `search/w-${name}.js`, titles: `search/r-${name}.js`, starts: 'search/starts.js' }[what];
  const cached = loaded.get(file);
  if (cached) return cached;
  const loading = new Promise((resolve, reject) => {
    waiting.set(`${what} ${name}`, resolve);
    document.head.append(element('script', { src: file, onerror: () => reject(new Error(file)) }));
  });
  loaded.set(file, loading);
  return loading;
}

async function tell(ranked, from) {
  const { none, more, all } = shown.dataset;
  const count = ranked.length;
  const part = ranked.slice(from, from + most);
  const items = (await Promise.all(part.map(titleOf))).map(itemOf);
  const countLine = element('p', { textContent: count === 0 ? none : `${all} ${count}` });
  if (from === 0) shown.replaceChildren(countLine, element('ul', { className: 'items' }));
  shown.querySelector('ul').append(...items);
  shown.querySelector('button')?.remove();
  const onclick = () => tell(ranked, from + most);
  if (from + most < count) shown.append(element('button', { textContent: more, onclick }));
}

function itemOf([title, file, kind, date]) {
  const [path, anchor] = file.split('#');
  const href = path.split('/').map(encodeURIComponent).join('/') + (anchor ? `#${anchor}` : '');
  const name = `kind${kind[0].toUpperCase()}${kind.slice(1)}`;
  const about = [shown.dataset[name] ?? kind, date].filter(Boolean).join(' · ');
  const head = element('h2', {}, element('a', { href, textContent: title, lang: 'fr' }));
  return element('li', { className: 'item' }, head, element('p', { className: 'meta', textContent: about }));
}

function element(name, properties, ...inside) {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...inside);
  return node;
}

/** Folds words like the index does. */
function wordsOf(text) {
  const plain = text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae');
  return plain.match(/[a-z0-9]{2,}/g) ?? [];
}
