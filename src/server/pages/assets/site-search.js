// Searches a static site. The index is cut into scripts, since a page opened from a file may load nothing else.
const most = 12;
const inChunk = 50;
const shown = document.querySelector('#found');
const asked = new URLSearchParams(location.search).get('q') ?? '';
const loaded = new Map();
const waiting = new Map();

globalThis.hemicycleIndex = (what, name, value) => waiting.get(`${what} ${name}`)?.(value);

document.querySelector('#q').value = asked;
if (asked.trim() !== '') search([...new Set(wordsOf(asked))]);

async function search(words) {
  const { starts, often } = await load('starts', '');
  const rare = words.filter((word) => !often.includes(word));
  const lists = await Promise.all(rare.map((word) => numbersOf(word, starts)));
  const [first = new Map(), ...others] = lists.sort((a, b) => a.size - b.size);
  const found = [...first.keys()].filter((number) => others.every((each) => each.has(number)));
  const outsideTitle = (number) => lists.reduce((sum, each) => sum + each.get(number), 0);
  const ranked = found.map((number) => ({ number, rank: outsideTitle(number) }));
  ranked.sort((a, b) => a.rank - b.rank || a.number - b.number);
  await tell(ranked, 0);
  if (rare.length < words.length) shown.firstChild.textContent += ` · ${shown.dataset.often}`;
}

/** Records that hold a word, or one that begins so, with 1 for those whose title lacks it. */
async function numbersOf(word, starts) {
  const fileOf = (text) => starts.findLastIndex((first) => first.slice(1) <= text);
  const from = Math.max(0, fileOf(word));
  const last = fileOf(`${word}~`);
  // Of words with many continuations only the word itself is looked for.
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
  const file = { words: `search/w-${name}.js`, titles: `search/r-${name}.js`, starts: 'search/starts.js' }[
    what
  ];
  const known = loaded.get(file);
  if (known) return known;
  const loading = new Promise((resolve, reject) => {
    waiting.set(`${what} ${name}`, resolve);
    const script = document.createElement('script');
    script.src = file;
    script.onerror = () => reject(new Error(file));
    document.head.append(script);
  });
  loaded.set(file, loading);
  return loading;
}

async function tell(ranked, from) {
  const { none, more } = shown.dataset;
  const count = ranked.length;
  const found = await Promise.all(ranked.slice(from, from + most).map(titleOf));
  if (from === 0) {
    const told = document.createElement('p');
    told.textContent = count === 0 ? none : String(count);
    const list = document.createElement('ul');
    list.className = 'items';
    shown.replaceChildren(told, list);
  }
  shown.querySelector('ul').append(...found.map(itemOf));
  shown.querySelector('button')?.remove();
  if (from + most >= count) return;
  const button = document.createElement('button');
  button.textContent = more;
  button.onclick = () => tell(ranked, from + most);
  shown.append(button);
}

function itemOf([title, file, kind, date]) {
  const item = document.createElement('li');
  item.className = 'item';
  const link = document.createElement('a');
  const [path, anchor] = file.split('#');
  link.href = path.split('/').map(encodeURIComponent).join('/') + (anchor ? `#${anchor}` : '');
  link.textContent = title;
  link.lang = 'fr';
  const meta = document.createElement('p');
  meta.className = 'meta';
  const name = `kind${kind[0].toUpperCase()}${kind.slice(1)}`;
  meta.textContent = [shown.dataset[name] ?? kind, date].filter(Boolean).join(' · ');
  const head = document.createElement('h2');
  head.append(link);
  item.append(head, meta);
  return item;
}

/** Words folded like those of the index. */
function wordsOf(text) {
  const plain = text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae');
  return plain.match(/[a-z0-9]{2,}/g) ?? [];
}
